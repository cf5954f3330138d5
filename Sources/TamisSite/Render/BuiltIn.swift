/// Makes a value of files of this binary; a test makes it too, so that it never fails here.
///
/// - Parameters:
///   - name: its name in a message.
///   - make: a function that makes it.
/// - Returns: the value.
func builtIn<Value>(_ name: String, _ make: () throws -> Value) -> Value {
  do { return try make() } catch { preconditionFailure("\(name) cannot be read: \(error)") }
}
