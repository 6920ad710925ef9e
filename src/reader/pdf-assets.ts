// The addresses of pdf.js's files, which contain their hashes; loaded only for documents that need
// such a file.
const assetFiles = {
  cMapUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/cmaps/*.bcmap', { query: '?url', import: 'default', eager: true }),
  standardFontDataUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  wasmUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
};

export type PdfAssetKind = keyof typeof assetFiles;

/** The address of a character map, standard font or decoder of pdf.js, on our own origin. */
export const findPdfAssetUrl = (kind: PdfAssetKind, filename: string): string | undefined =>
  Object.entries(assetFiles[kind]).find(([path]) => path.endsWith(`/${filename}`))?.[1];
