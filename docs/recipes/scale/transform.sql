-- A table through tamis in SQL alone: TRANSFORM, Parquet to Parquet. The columns are id (a string) and html.
--
--     spark-sql --archives tamis-worker.tar.gz#tamis-worker -d source=pages.parquet -d target=answers.parquet -f transform.sql
-- A worker without the command sleeps, so that Spark has read what it says before it ends.
INSERT OVERWRITE DIRECTORY '${target}' USING parquet
SELECT answer.id, answer.html, answer.error.code AS error, answer.by
FROM (
  SELECT from_json(line, 'id STRING, html STRING, error STRUCT<code: STRING, message: STRING>, by STRING') AS answer
  FROM (
    SELECT TRANSFORM (record)
    USING 'PATH=$PWD/tamis-worker:$PATH; command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, then --archives tamis-worker.tar.gz#tamis-worker" >&2; sleep 1; exit 127; }; exec tamis sanitize --jsonl --guard'
    AS (line STRING)
    FROM (SELECT to_json(struct(string(id) AS id, html)) AS record FROM parquet.`${source}`)));
