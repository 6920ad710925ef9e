/** A box of an MP4. */
function mp4Box(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/**
 * An MP4 with Nero chapter marks, which audiobook producers write, too.
 * @param chapters names, and start times in s
 */
export function addChapters(mp4: Buffer, chapters: readonly [name: string, seconds: number][]): Buffer {
  const marks = chapters.map(([name, seconds]) => {
    const text = Buffer.from(name);
    const mark = Buffer.alloc(9);
    mark.writeBigUInt64BE(BigInt(seconds * 10_000_000));
    mark.writeUInt8(text.length, 8);
    return Buffer.concat([mark, text]);
  });
  const list = mp4Box('udta', mp4Box('chpl', Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, chapters.length]), ...marks])));
  const parts: Buffer[] = [];
  for (let at = 0; at < mp4.length;) {
    const size = mp4.readUInt32BE(at);
    const isMovie = mp4.toString('latin1', at + 4, at + 8) === 'moov';
    parts.push(isMovie ? mp4Box('moov', Buffer.concat([mp4.subarray(at + 8, at + size), list])) : mp4.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}
