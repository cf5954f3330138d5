import GRDB
import TamisCore
import TamisSystem

/// The tables of the archive.
enum Schema {
  /// The application id in SQLite's header: "tmis".
  static let applicationID = 0x746D_6973
  /// The only format that this version reads and writes.
  static let version = 14

  /// The tables and indexes of a new archive.
  static let tables = needed + "\n" + additions

  /// The tables that every archive has.
  static let needed = """
    -- One row: the moment of the last run, whether it finished, and the version of the rules by which copies in other
    -- feeds are folded (Folding.version); 0 when they are not.
    CREATE TABLE run (moment INTEGER NOT NULL, isFinished INTEGER NOT NULL, folding INTEGER NOT NULL,
      -- The version of libunistring that made the keys.
      unicode INTEGER NOT NULL) STRICT;
    INSERT INTO run VALUES (0, 1, \(Folding.version), \(UnicodeText.version));
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
      -- The keys by which the feed is recognized: the normal forms of its own URL and of its home page's, and the path
      -- of its file or the subscribed URL.
      address TEXT, home TEXT, location TEXT,
      -- Facts from its documents: the keys that tell its posts apart, whether it collects posts of other feeds, and the
      -- moments at which it was first seen, last seen, and lacked most of its posts at once.
      level INTEGER NOT NULL DEFAULT 0, isAggregator INTEGER NOT NULL DEFAULT 0,
      first INTEGER NOT NULL, latest INTEGER NOT NULL DEFAULT 0, pending INTEGER NOT NULL DEFAULT 0,
      -- Whether the feed is no longer a source, and the moment at which that last changed.
      isRemoved INTEGER NOT NULL DEFAULT 0, stood INTEGER NOT NULL DEFAULT 0,
      -- The file as last read: size, modification time, digests of its content and of the parameters of reading.
      size INTEGER, modified INTEGER, document TEXT, reading TEXT,
      -- The digest of the filter rules by which stored posts were judged.
      filterRules TEXT,
      -- The slug of its pages, and the slug that it would have if no other feed had the same; see DerivedState.
      slug TEXT NOT NULL DEFAULT '', preferredSlug TEXT NOT NULL, title TEXT NOT NULL, subtitle TEXT NOT NULL DEFAULT '', link TEXT, feedURL TEXT, image TEXT, face TEXT,
      language TEXT, direction TEXT NOT NULL DEFAULT 'ltr', rights TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT '{}'
    ) STRICT;
    CREATE INDEX feed_location ON feed (location);
    CREATE INDEX feed_image ON feed (image) WHERE image IS NOT NULL;
    CREATE INDEX feed_face ON feed (face) WHERE face IS NOT NULL;
    -- The categories in which feeds are listed, by slug.
    CREATE TABLE category (
      slug TEXT NOT NULL, feed INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (slug, feed)) WITHOUT ROWID, STRICT;
    CREATE INDEX category_feed ON category (feed);
    -- The fetch state of a feed, by its subscribed URL, which is the feed's location.
    CREATE TABLE fetch (
      subscription TEXT PRIMARY KEY, address TEXT NOT NULL, validatorAddress TEXT, etag TEXT, lastModified TEXT, movedTo TEXT,
      moveCount INTEGER, asked INTEGER, fetched INTEGER, next INTEGER, failingSince INTEGER, failureCount INTEGER, reason TEXT,
      message TEXT, status INTEGER, isGone INTEGER NOT NULL, gap INTEGER, lifetime INTEGER, skippedHours INTEGER NOT NULL,
      skippedDays INTEGER NOT NULL, quiet INTEGER NOT NULL, answerTimes TEXT NOT NULL,
      guardDigest INTEGER) WITHOUT ROWID, STRICT;
    CREATE INDEX feed_preferredSlug ON feed (preferredSlug);
    -- One row per distinct document: first seen, complete or cut off, number of polls.
    CREATE TABLE observation (
      feed INTEGER NOT NULL, moment INTEGER NOT NULL, document TEXT NOT NULL, isComplete INTEGER NOT NULL, looks INTEGER NOT NULL,
      PRIMARY KEY (feed, moment, document)) WITHOUT ROWID, STRICT;
    CREATE TABLE post (
      id INTEGER PRIMARY KEY, \(StoredPost.columns.map(\.definition).joined(separator: ", ")),
      -- What settling decides; see DerivedState.
      arrival INTEGER, sortDate INTEGER NOT NULL, month INTEGER, shown INTEGER NOT NULL, fold INTEGER NOT NULL,
      UNIQUE (feed, pid)
    ) STRICT;
    CREATE INDEX post_here ON post (feed) WHERE missed = 0;
    CREATE INDEX post_in_feed ON post (feed, sortDate, arrival) WHERE shown > 0;
    CREATE INDEX post_in_time ON post (sortDate, arrival) WHERE shown = 1;
    CREATE INDEX post_arrival ON post (arrival);
    CREATE INDEX post_of_feed ON post (feed, arrival) WHERE shown > 0;
    CREATE INDEX post_of_month ON post (month, arrival) WHERE shown = 1;
    CREATE INDEX post_folded ON post (fold) WHERE fold <> 0;
    CREATE TABLE card (post INTEGER PRIMARY KEY, \(CardStore.definitions.joined(separator: ", "))) STRICT;
    CREATE INDEX card_updated ON card (updated) WHERE updated IS NOT NULL;
    CREATE TABLE body (post INTEGER PRIMARY KEY, rules TEXT NOT NULL, content BLOB NOT NULL) STRICT;
    -- The keys by which posts are found; the posts are then compared in full.
    CREATE TABLE key (digest INTEGER NOT NULL, post INTEGER NOT NULL, PRIMARY KEY (digest, post)) WITHOUT ROWID, STRICT;
    CREATE INDEX key_post ON key (post);
    -- The wordings of posts that had several: their digests, the moment of each, and the words and the sketch of its text.
    CREATE TABLE wording (
      post INTEGER NOT NULL, digest INTEGER NOT NULL, since INTEGER NOT NULL, words INTEGER NOT NULL, sketch BLOB,
      PRIMARY KEY (post, digest))
      WITHOUT ROWID, STRICT;
    -- Pairs of posts of different feeds that are the same, or nearly, in both directions; derived from the posts.
    CREATE TABLE same (
      post INTEGER NOT NULL, other INTEGER NOT NULL, isNear INTEGER NOT NULL, PRIMARY KEY (post, other)) WITHOUT ROWID, STRICT;
    -- Canonical posts by tag, and tags with their most frequent spelling.
    CREATE TABLE tag (
      slug TEXT NOT NULL, sortDate INTEGER NOT NULL, arrival INTEGER NOT NULL, post INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (slug, sortDate, arrival)) WITHOUT ROWID, STRICT;
    CREATE INDEX tag_post ON tag (post);
    CREATE INDEX tag_arrival ON tag (slug, arrival);
    CREATE TABLE label (slug TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID, STRICT;
    CREATE INDEX label_count ON label (count);
    -- Posts and tags whose derived values must be recomputed.
    CREATE TABLE unsettled (post INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE unlabelled (slug TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;
    -- Published sites: folder, fingerprint of the options, whether changes since are recorded below, whether a run is
    -- writing it or was interrupted, and the number of its files.
    CREATE TABLE site (
      id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, isCurrent INTEGER NOT NULL,
      isWritten INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE file (
      site INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, digest INTEGER NOT NULL, PRIMARY KEY (site, path))
      WITHOUT ROWID, STRICT;
    CREATE TABLE folder (site INTEGER NOT NULL, path TEXT NOT NULL, modified INTEGER NOT NULL, PRIMARY KEY (site, path)) WITHOUT ROWID, STRICT;
    -- Changed posts as the site shows them; feeds whose cards have changed.
    CREATE TABLE change (
      post INTEGER PRIMARY KEY, feed INTEGER NOT NULL, name TEXT NOT NULL, shown INTEGER NOT NULL, sortDate INTEGER NOT NULL,
      arrival INTEGER NOT NULL, fold INTEGER NOT NULL, slugs TEXT NOT NULL) STRICT;
    CREATE TABLE changedFeed (feed INTEGER PRIMARY KEY, isRelisted INTEGER NOT NULL) STRICT;
    -- Pictures of posts and feeds, by URL. A picture with a digest (SHA-256) is a file beside the archive; the others have
    -- the times of the last and the next request, and the reason for the failure.
    CREATE TABLE picture (
      id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, digest TEXT, ending TEXT, width INTEGER, height INTEGER, size INTEGER,
      checksum INTEGER, asked INTEGER, next INTEGER, failures INTEGER NOT NULL DEFAULT 0, problem TEXT,
      isGivenUp INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX picture_file ON picture (digest) WHERE digest IS NOT NULL;
    CREATE TABLE showing (post INTEGER NOT NULL, picture INTEGER NOT NULL, PRIMARY KEY (post, picture)) WITHOUT ROWID, STRICT;
    CREATE INDEX showing_picture ON showing (picture);
    -- Posts that were searched for pictures: their content digest then, and the rules.
    CREATE TABLE looked (post INTEGER PRIMARY KEY, content INTEGER NOT NULL, rules INTEGER NOT NULL) STRICT;
    -- A row when feeds were fetched since the site was published.
    CREATE TABLE changedFetching (id INTEGER PRIMARY KEY) STRICT;
    """

  /// The tables that archives of this version may lack; they are then created.
  static let additions = """
    -- Pages of entries, by URL, with the feed's title and text until the page was fetched. `content` is the extracted
    -- article, compressed; pages without one have the times of the last and the next request, and the reason for the failure.
    CREATE TABLE IF NOT EXISTS page (
      id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL, content BLOB, checksum INTEGER,
      asked INTEGER, next INTEGER, failures INTEGER NOT NULL DEFAULT 0, problem TEXT, isGivenUp INTEGER NOT NULL DEFAULT 0) STRICT;
    -- The feeds, by location, whose entries need the pages.
    CREATE TABLE IF NOT EXISTS wantedPage (location TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (location, page)) WITHOUT ROWID, STRICT;
    CREATE INDEX IF NOT EXISTS wantedPage_page ON wantedPage (page);
    -- The checksum of the site rule with which a fetched page was read; no row without a rule. Page 0 stands for all rules.
    CREATE TABLE IF NOT EXISTS pageRule (page INTEGER PRIMARY KEY, rule INTEGER NOT NULL) STRICT;
    -- Fetched pages to be fetched again because their rule has changed, or another feed wants them; the earlier article
    -- stays until then. Fetched pictures to be fetched again once, because the feed on whose site a post is shows them.
    CREATE TABLE IF NOT EXISTS stalePage (page INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE IF NOT EXISTS stalePicture (picture INTEGER PRIMARY KEY) STRICT;
    -- Fetched pages, compressed, that wait for the other pages of their site to be compared with, and the outlines by
    -- which pages are compared.
    CREATE TABLE IF NOT EXISTS waitingPage (page INTEGER PRIMARY KEY, url TEXT NOT NULL, charset TEXT, content BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS pageOutline (
      page INTEGER PRIMARY KEY, site TEXT NOT NULL, title INTEGER NOT NULL, text INTEGER NOT NULL, blocks BLOB NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS pageOutline_site ON pageOutline (site);
    -- How far the history of a feed was read, by its subscribed URL: the address of the next document, whether that
    -- is a guess, why nothing more is read, whether it was read before, the number of documents and of failed requests, the time of the next one, and the checksums of what was read.
    CREATE TABLE IF NOT EXISTS history (
      location TEXT PRIMARY KEY, next TEXT, isGuess INTEGER NOT NULL, ending TEXT, fillsGap INTEGER NOT NULL, documents INTEGER NOT NULL, failures INTEGER NOT NULL, retry INTEGER,
      walked BLOB NOT NULL) WITHOUT ROWID, STRICT;
    -- In a shard and in merges of shards: the feeds, each with the slug that it gets when its key is also another feed's, and
    -- the texts from which ids and keys of their posts were made, besides the feed's key; see MergedFeedNames.
    CREATE TABLE IF NOT EXISTS dealt (feed INTEGER PRIMARY KEY, twinSlug TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS origin (post INTEGER PRIMARY KEY, identity TEXT NOT NULL, whole INTEGER) STRICT;
    """
}
