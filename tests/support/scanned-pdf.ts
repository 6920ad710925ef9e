const IMAGE_WIDTH_PX = 300;

/** Noise that is the same in every run: like a scanned page, it cannot be compressed. */
const createNoisePixels = (seed: number): Buffer => {
  const pixels = Buffer.alloc(IMAGE_WIDTH_PX * IMAGE_WIDTH_PX);
  let randomState = seed * 2_654_435_761 + 1;
  for (let offset = 0; offset + 4 <= pixels.length; offset += 4) {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0;
    pixels.writeUInt32LE(randomState, offset);
  }
  return pixels;
};

const formatPdfStream = (head: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< ${head} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);

/** A PDF as scanners write it: a 90 KB picture on each page, each in a page object of its own. */
export const createScannedPdf = (pages: number): Buffer => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let size = parts[0]?.length ?? 0;
  const add = (number: number, body: Buffer | string): void => {
    offsets[number] = size;
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body as string), Buffer.from('\nendobj\n')]);
    parts.push(object);
    size += object.length;
  };
  add(1, '<< /Type /Catalog /Pages 2 0 R >>');
  const getFirstObject = (page: number): number => 3 + page * 3;
  for (let page = 0; page < pages; page += 1) {
    const pageObject = getFirstObject(page);
    add(
      pageObject,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${IMAGE_WIDTH_PX} ${IMAGE_WIDTH_PX}] /Contents ${pageObject + 1} 0 R ` +
        `/Resources << /XObject << /Scan ${pageObject + 2} 0 R >> >> >>`,
    );
    add(pageObject + 1, formatPdfStream('', Buffer.from(`q ${IMAGE_WIDTH_PX} 0 0 ${IMAGE_WIDTH_PX} 0 0 cm /Scan Do Q`)));
    const picture = `/Type /XObject /Subtype /Image /Width ${IMAGE_WIDTH_PX} /Height ${IMAGE_WIDTH_PX} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    add(pageObject + 2, formatPdfStream(picture, createNoisePixels(page)));
  }
  const kids = Array.from({ length: pages }, (_, page) => `${getFirstObject(page)} 0 R`).join(' ');
  add(2, `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`);
  const count = 3 + pages * 3;
  const entries = Array.from({ length: count - 1 }, (_, index) => `${String(offsets[index + 1]).padStart(10, '0')} 00000 n \n`);
  const crossReferences = `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`;
  parts.push(Buffer.from(`${crossReferences}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`));
  return Buffer.concat(parts);
};
