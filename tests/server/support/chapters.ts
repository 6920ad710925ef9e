/** Encodes a box of an MP4 file. */
function encodeMp4Box(kind: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(kind, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/**
 * Adds Nero chapter marks to an MP4 file, as some audiobook producers do.
 * @param chapters names, and start times in seconds
 * @returns the new file
 */
export function addChapters(mp4: Buffer, chapters: readonly [name: string, seconds: number][]): Buffer {
  const chapterMarks = chapters.map(([name, seconds]) => {
    const nameBytes = Buffer.from(name);
    const mark = Buffer.alloc(9);
    mark.writeBigUInt64BE(BigInt(seconds * 10_000_000));
    mark.writeUInt8(nameBytes.length, 8);
    return Buffer.concat([mark, nameBytes]);
  });
  const chapterList = encodeMp4Box(
    'udta',
    encodeMp4Box('chpl', Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, chapters.length]), ...chapterMarks])),
  );
  const boxes: Buffer[] = [];
  for (let offset = 0; offset < mp4.length;) {
    const size = mp4.readUInt32BE(offset);
    const isMovieBox = mp4.toString('latin1', offset + 4, offset + 8) === 'moov';
    boxes.push(
      isMovieBox
        ? encodeMp4Box('moov', Buffer.concat([mp4.subarray(offset + 8, offset + size), chapterList]))
        : mp4.subarray(offset, offset + size),
    );
    offset += size;
  }
  return Buffer.concat(boxes);
}
