// Each file gets an address with its hash; the map is only loaded for documents that need one of them.
const files = {
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

export type PdfAssetKind = keyof typeof files;

/** The address of a character map, a standard font or a decoder of pdf.js, on our own origin. */
export const pdfAssetUrl = (kind: PdfAssetKind, filename: string): string | undefined =>
  Object.entries(files[kind]).find(([path]) => path.endsWith(`/${filename}`))?.[1];
