CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('1');
CREATE TABLE feed (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE post (
  feed INTEGER NOT NULL REFERENCES feed (id),
  identity TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  path TEXT NOT NULL UNIQUE,
  PRIMARY KEY (feed, identity)
) WITHOUT ROWID;
INSERT INTO feed VALUES (1, 'feeds/a.xml');
INSERT INTO post VALUES (1, 'guid:https://a.example/1', x'00', 'posts/a/first-post-0a1b2c3d.html');
INSERT INTO post VALUES (1, 'guid:two', x'01', 'posts/a/second-post-4e5f6a7b.html');
