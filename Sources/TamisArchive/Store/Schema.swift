import GRDB
import TamisUnicode

/// The tables of the archive.
enum Schema {
  /// The application id in SQLite's header: "tmis".
  static let applicationID = 0x746D_6973
  /// The only format that this version reads and writes.
  static let version = 6

  /// The tables and indexes of a new archive.
  static let tables = needed + "\n" + additions

  /// The tables that every archive has.
  static let needed = """
    -- One row: the moment of the last run, whether it did all that it had to, and whether copies in other feeds are folded.
    CREATE TABLE run (moment INTEGER NOT NULL, isFinished INTEGER NOT NULL, isFolding INTEGER NOT NULL,
      -- The version of libunistring that made the keys.
      unicode INTEGER NOT NULL) STRICT;
    INSERT INTO run VALUES (0, 1, 1, \(UnicodeText.version));
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
      -- By what it is known again: the forms of its own address and its home page's, and where its file was last, or
      -- the address that is subscribed to.
      address TEXT, home TEXT, place TEXT,
      -- What its documents have shown: by which keys its posts are told apart, whether it collects others' posts, and the moments at
      -- which it was seen first and last, and missed most of its posts all at once.
      level INTEGER NOT NULL DEFAULT 0, isAggregator INTEGER NOT NULL DEFAULT 0,
      first INTEGER NOT NULL, latest INTEGER NOT NULL DEFAULT 0, pending INTEGER NOT NULL DEFAULT 0,
      -- Whether it is no source any more, and the moment since which that is so or not.
      isOut INTEGER NOT NULL DEFAULT 0, stood INTEGER NOT NULL DEFAULT 0,
      -- Its file as it was read last: size and time of change, and digests of what is in it and of how it was read.
      size INTEGER, modified INTEGER, document TEXT, reading TEXT,
      -- By which rules its posts are held back.
      held TEXT,
      -- The word by which its pages are named, and the one that it would have if no other feed wanted it; see DerivedState.
      slug TEXT NOT NULL DEFAULT '', wish TEXT NOT NULL, title TEXT NOT NULL, subtitle TEXT NOT NULL DEFAULT '', link TEXT, published TEXT, image TEXT,
      language TEXT, direction TEXT NOT NULL DEFAULT 'ltr', rights TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT '{}'
    ) STRICT;
    CREATE INDEX feed_place ON feed (place);
    CREATE INDEX feed_image ON feed (image) WHERE image IS NOT NULL;
    -- The categories in which feeds are listed: by the word that names the pages of each.
    CREATE TABLE category (
      slug TEXT NOT NULL, feed INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (slug, feed)) WITHOUT ROWID, STRICT;
    CREATE INDEX category_feed ON category (feed);
    -- What is remembered of fetching a feed, by the address that is subscribed to, which is the place of the feed.
    CREATE TABLE fetch (
      subscription TEXT PRIMARY KEY, address TEXT NOT NULL, validatorAddress TEXT, etag TEXT, lastModified TEXT, movedTo TEXT,
      moveCount INTEGER, asked INTEGER, fetched INTEGER, next INTEGER, failingSince INTEGER, failureCount INTEGER, reason TEXT,
      message TEXT, status INTEGER, isGone INTEGER NOT NULL, gap INTEGER, lifetime INTEGER, skippedHours INTEGER NOT NULL,
      skippedDays INTEGER NOT NULL, quiet INTEGER NOT NULL, answerTimes TEXT NOT NULL,
      guardDigest INTEGER) WITHOUT ROWID, STRICT;
    CREATE INDEX feed_wish ON feed (wish);
    -- That a document was seen: when first, how it ended, and how often it was looked at, as far as that says something.
    CREATE TABLE observation (
      feed INTEGER NOT NULL, moment INTEGER NOT NULL, document TEXT NOT NULL, isComplete INTEGER NOT NULL, looks INTEGER NOT NULL,
      PRIMARY KEY (feed, moment, document)) WITHOUT ROWID, STRICT;
    CREATE TABLE post (
      id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, pid INTEGER NOT NULL, name TEXT NOT NULL,
      \(PostIdentifiers.columns.map { "\($0.name) INTEGER" }.joined(separator: ", ")), title INTEGER NOT NULL, titleWords TEXT NOT NULL, text INTEGER,
      markup INTEGER NOT NULL, words INTEGER NOT NULL, numbers INTEGER NOT NULL, sketch BLOB, least INTEGER, greatest INTEGER,
      date INTEGER, flags INTEGER NOT NULL,
      -- Moments: seen first; since when it says what it says; changed much; missed first by a whole document; seen last
      -- in one that was cut off: in which whole ones it was follows from when it was missed.
      first INTEGER NOT NULL, since INTEGER NOT NULL, changed INTEGER NOT NULL, missed INTEGER NOT NULL, partial INTEGER NOT NULL,
      -- Moments at which users have read and forgotten it, and at which its content was let go.
      read INTEGER NOT NULL, forgotten INTEGER NOT NULL, purged INTEGER NOT NULL,
      -- Its place in the document in which it came, and where it stands among all; see DerivedState.
      position INTEGER NOT NULL, arrival INTEGER, place INTEGER NOT NULL, month INTEGER, shown INTEGER NOT NULL, fold INTEGER NOT NULL,
      -- The digest of its card and body.
      content INTEGER NOT NULL,
      UNIQUE (feed, pid)
    ) STRICT;
    CREATE INDEX post_here ON post (feed) WHERE missed = 0;
    CREATE INDEX post_in_feed ON post (feed, place, arrival) WHERE shown > 0;
    CREATE INDEX post_in_time ON post (place, arrival) WHERE shown = 1;
    CREATE INDEX post_arrival ON post (arrival);
    CREATE INDEX post_of_feed ON post (feed, arrival) WHERE shown > 0;
    CREATE INDEX post_of_month ON post (month, arrival) WHERE shown = 1;
    CREATE INDEX post_folded ON post (fold) WHERE fold <> 0;
    CREATE TABLE card (post INTEGER PRIMARY KEY, \(CardStore.definitions.joined(separator: ", "))) STRICT;
    CREATE INDEX card_updated ON card (updated) WHERE updated IS NOT NULL;
    CREATE TABLE body (post INTEGER PRIMARY KEY, rules TEXT NOT NULL, content BLOB NOT NULL) STRICT;
    -- By what posts are found: what it leads to is compared in full.
    CREATE TABLE key (digest INTEGER NOT NULL, post INTEGER NOT NULL, PRIMARY KEY (digest, post)) WITHOUT ROWID, STRICT;
    CREATE INDEX key_post ON key (post);
    -- What a post said before, and since when.
    CREATE TABLE wording (post INTEGER NOT NULL, words INTEGER NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (post, words)) WITHOUT ROWID, STRICT;
    -- Which posts of different feeds are the same, or nearly; both ways. It follows from the posts.
    CREATE TABLE same (
      post INTEGER NOT NULL, other INTEGER NOT NULL, isNear INTEGER NOT NULL, PRIMARY KEY (post, other)) WITHOUT ROWID, STRICT;
    -- The posts that stand for themselves by their tags, and the tags with what most posts call them.
    CREATE TABLE tag (
      slug TEXT NOT NULL, place INTEGER NOT NULL, arrival INTEGER NOT NULL, post INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (slug, place, arrival)) WITHOUT ROWID, STRICT;
    CREATE INDEX tag_post ON tag (post);
    CREATE INDEX tag_arrival ON tag (slug, arrival);
    CREATE TABLE label (slug TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID, STRICT;
    CREATE INDEX label_count ON label (count);
    -- Posts and tags of which it has to be worked out anew how they stand.
    CREATE TABLE unsettled (post INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE unlabelled (slug TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;
    -- Sites that were published: where, of which options, whether what has changed since is noted below, and whether a run is writing
    -- it, or was when it was cut short.
    CREATE TABLE site (
      id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, isCurrent INTEGER NOT NULL,
      isWritten INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE file (
      site INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, digest INTEGER NOT NULL, PRIMARY KEY (site, path))
      WITHOUT ROWID, STRICT;
    CREATE TABLE folder (site INTEGER NOT NULL, path TEXT NOT NULL, modified INTEGER NOT NULL, PRIMARY KEY (site, path)) WITHOUT ROWID, STRICT;
    -- Posts as that site shows them, where they are to be shown otherwise; feeds whose cards are.
    CREATE TABLE change (
      post INTEGER PRIMARY KEY, feed INTEGER NOT NULL, name TEXT NOT NULL, shown INTEGER NOT NULL, place INTEGER NOT NULL,
      arrival INTEGER NOT NULL, fold INTEGER NOT NULL, slugs TEXT NOT NULL) STRICT;
    CREATE TABLE changedFeed (feed INTEGER PRIMARY KEY, isRelisted INTEGER NOT NULL) STRICT;
    -- Pictures that posts and feeds show, by their addresses. Those with a digest (SHA-256) lie beside the archive; of the others is
    -- remembered when they were asked for, when that is to be done again, and why it has failed.
    CREATE TABLE picture (
      id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, digest TEXT, ending TEXT, width INTEGER, height INTEGER, size INTEGER,
      checksum INTEGER, asked INTEGER, next INTEGER, failures INTEGER NOT NULL DEFAULT 0, problem TEXT,
      isGivenUp INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX picture_file ON picture (digest) WHERE digest IS NOT NULL;
    CREATE TABLE showing (post INTEGER NOT NULL, picture INTEGER NOT NULL, PRIMARY KEY (post, picture)) WITHOUT ROWID, STRICT;
    CREATE INDEX showing_picture ON showing (picture);
    -- The posts that were looked through for pictures: what they were then, and under which rules.
    CREATE TABLE looked (post INTEGER PRIMARY KEY, content INTEGER NOT NULL, rules INTEGER NOT NULL) STRICT;
    -- A row when feeds were fetched since.
    CREATE TABLE changedFetching (id INTEGER PRIMARY KEY) STRICT;
    """

  /// The tables that archives of this version may lack; they are then created.
  static let additions = """
    -- Pages that entries want, by their addresses, with what the feed says of each until it has come. Those with a content have come:
    -- it is what was found there, packed. Of the others is remembered when they were asked for, when that is to be done again, and why
    -- it has failed.
    CREATE TABLE IF NOT EXISTS page (
      id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL, content BLOB, checksum INTEGER,
      asked INTEGER, next INTEGER, failures INTEGER NOT NULL DEFAULT 0, problem TEXT, isGivenUp INTEGER NOT NULL DEFAULT 0) STRICT;
    -- Which feeds, by their places, have entries that want them.
    CREATE TABLE IF NOT EXISTS wish (place TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (place, page)) WITHOUT ROWID, STRICT;
    CREATE INDEX IF NOT EXISTS wish_page ON wish (page);
    -- Under which rule for its site, as a checksum, a page was looked at that has come; none where there was none. Page 0 stands for all rules.
    CREATE TABLE IF NOT EXISTS pageRule (page INTEGER PRIMARY KEY, rule INTEGER NOT NULL) STRICT;
    -- Pages that have come and are asked for again, because that rule is another; what was found before stays until they come.
    CREATE TABLE IF NOT EXISTS stalePage (page INTEGER PRIMARY KEY) STRICT;
    -- Pages that have come, packed, until the others of their run have that they are compared with; and by what others are compared with
    -- pages.
    CREATE TABLE IF NOT EXISTS heldPage (page INTEGER PRIMARY KEY, url TEXT NOT NULL, charset TEXT, content BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS pageOutline (
      page INTEGER PRIMARY KEY, site TEXT NOT NULL, title INTEGER NOT NULL, text INTEGER NOT NULL, blocks BLOB NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS pageOutline_site ON pageOutline (site);
    -- In a shard, and in what was merged of shards, the feeds that were dealt out, with the word by which the pages of each would be named
    -- if its key were another's; and what their posts' ids and keys were made of besides their feed's key: see MergedFeedNames.
    CREATE TABLE IF NOT EXISTS dealt (feed INTEGER PRIMARY KEY, twinWish TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS origin (post INTEGER PRIMARY KEY, identity TEXT NOT NULL, whole INTEGER) STRICT;
    """
}
