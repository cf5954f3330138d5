/// A post joined from the records of two archives.
struct JoinedPost {
  let record: PostRecord

  /// Joins two records.
  ///
  /// The content is that of the archive that saw the post last, or the greater one when both saw it at the same moment.
  /// For each moment the least or the greatest counts. The name is that of the archive that saw the post first.
  init(_ ours: PostRecord, joinedWith theirs: PostRecord) {
    let isOurs = !Self.version(ours).lexicographicallyPrecedes(Self.version(theirs))
    var joined = isOurs ? ours : theirs
    let (one, other) = (ours.row, theirs.row)
    let isEarlier = (one.first, one.position, one.name) <= (other.first, other.position, other.name)
    let earlier = isEarlier ? one : other
    var row = joined.row
    (row.id, row.name) = (earlier.id, earlier.name)
    (row.position, row.first) = (earlier.position, earlier.first)
    row.arrivalDate =
      one.first == other.first ? [one, other].compactMap(\.arrivalDate).min() : earlier.arrivalDate
    row.keys.flags.set(.backfill, earlier.keys.flags.contains(.backfill))
    joined.last = max(ours.last, theirs.last)
    row.changed = max(one.changed, other.changed)
    row.read = max(one.read, other.read)
    row.forgotten = max(one.forgotten, other.forgotten)
    // A post that was purged and has reappeared since is present.
    let purged = max(one.purged, other.purged)
    row.purged = joined.html != nil && joined.last > purged.rawValue ? .never : purged
    if one.content == other.content {
      // The archive that saw the post first knows the day: what arrived later had been gone.
      joined.day =
        one.first == other.first ? SortDate.earliest(ours.day, theirs.day) : (isEarlier ? ours : theirs).day
    }
    let wordings = Dictionary((ours.wordings + theirs.wordings).map { ($0.digest, $0) }) { min($0, $1) }
    joined.wordings = wordings.values.sorted { $0.digest < $1.digest }
    joined.keys = Array(Set(ours.keys + theirs.keys)).sorted()
    if row.isBuried { (joined.html, joined.rules, joined.details) = (nil, nil, nil) }
    joined.row = row
    record = joined
  }

  /// Returns numbers whose order tells which version of a post is later, or greater when both were seen at the same
  /// moment.
  private static func version(_ record: PostRecord) -> [Int64] {
    let (row, keys) = (record.row, record.row.keys)
    let optional = keys.ids.values + [keys.text.digest, keys.date]
    let numbers: [Int64] = [
      record.last, row.content, keys.markup, keys.title, Int64(keys.text.words), Int64(keys.text.numbers),
      keys.flags.rawValue, keys.text.speaksOfTitle ? 1 : 0,
    ]
    // The body is compared last: joining with a deleted post drops it, and the version has to stay the same.
    return numbers + optional.flatMap { key -> [Int64] in [key == nil ? 0 : 1, key ?? 0] }
      + [record.html == nil ? 0 : 1]
  }
}
