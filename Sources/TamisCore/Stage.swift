/// One step of the pipeline: a small value that turns one thing into another and notes what was odd.
///
/// A stage is pure: the same input gives the same output. It throws only when it cannot go on at all; everything that can
/// be repaired becomes a ``Finding``.
public protocol Stage<Input, Output, Failure>: Sendable {
  /// What goes in.
  associatedtype Input: Sendable
  /// What comes out.
  associatedtype Output: Sendable
  /// Why it could not go on; `Never` for a stage that always can.
  associatedtype Failure: Error

  /// Does the step.
  func run(_ input: Input, into findings: inout [Finding]) throws(Failure) -> Output
}
