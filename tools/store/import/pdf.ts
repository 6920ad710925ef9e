import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { BrokenPublication, assertReadable } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { parseDay, emptyFacts, type TitleFacts, type CoverImage } from './facts.ts';

/** Maximum size of a document in bytes; it is read into memory. */
const MAX_FILE_BYTES = 2 ** 30;
/** Width in pixels of the first page's rendering, which is the cover. */
const COVER_WIDTH_PX = 900;
/**
 * Maximum ratio of a cover's height to its width: the image of a higher page would be too large.
 */
const MAX_COVER_RATIO = 20;

const getPdfjsFolder = (name: string): string =>
  fileURLToPath(new URL(`${name}/`, import.meta.resolve('pdfjs-dist/package.json')));

/**
 * Reads a PDF: its metadata, its page tree, and its first page as a cover.
 * @throws BrokenPublication if the PDF is broken, too large or needs a password
 */
export async function readPdf(file: string): Promise<TitleFacts> {
  const { size } = await stat(file);
  assertReadable(size <= MAX_FILE_BYTES, `it has ${size} bytes: expected at most ${MAX_FILE_BYTES}`, 'book_too_large');
  const task = getDocument({
    data: new Uint8Array(await readFile(file)),
    // Runs no scripts of the document, and fetches nothing.
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
    standardFontDataUrl: getPdfjsFolder('standard_fonts'),
    cMapUrl: getPdfjsFolder('cmaps'),
    wasmUrl: getPdfjsFolder('wasm'),
    iccUrl: getPdfjsFolder('iccs'),
  });
  try {
    const document = await task.promise;
    await assertPages(document);
    const cover = await renderFirstPage(document).catch(() => undefined);
    const { info, metadata } = await document.getMetadata();
    const infoFields = info as Record<string, unknown>;
    const readField = (name: string, xmpName: string): string | undefined => {
      const value: unknown = metadata?.get(xmpName) ?? infoFields[name];
      const text = Array.isArray(value) ? value.join('; ') : value;
      return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
    };
    return {
      ...emptyFacts,
      medium: 'pdf',
      name: cleanName(readField('Title', 'dc:title')),
      identifiers: [readField('', 'prism:isbn') ?? '', readField('', 'dc:identifier') ?? ''].filter((each) => each !== ''),
      authors: parsePeople(readField('Author', 'dc:creator') ?? ''),
      publisher: readField('', 'dc:publisher'),
      language: readField('Language', 'dc:language'),
      publishedOn: parseDay(readField('', 'prism:publicationDate')),
      description: readField('Subject', 'dc:description'),
      pages: document.numPages,
      cover,
      remarks: cover === undefined ? ['its first page cannot be rendered, so it has no cover'] : [],
      parts: [{ file, name: '', durationSeconds: 0 }],
    };
  } catch (error) {
    throw toImportError(error);
  } finally {
    await task.destroy();
  }
}

/** Checks the size of the first page, and the page tree by loading the last page. */
async function assertPages(document: PDFDocumentProxy): Promise<void> {
  assertReadable(document.numPages > 0, 'it has no pages');
  const firstPage = await document.getPage(1);
  const { width, height } = firstPage.getViewport({ scale: 1 });
  assertReadable(width > 0 && height > 0, `its first page is ${width} by ${height} points: expected more than 0`);
  await document.getPage(document.numPages);
}

async function renderFirstPage(document: PDFDocumentProxy): Promise<CoverImage> {
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const ratio = height / width;
  assertReadable(
    ratio < MAX_COVER_RATIO,
    `its first page is ${Math.round(ratio)} times as high as wide: a cover is less than ${MAX_COVER_RATIO} times`,
  );
  const viewport = page.getViewport({ scale: COVER_WIDTH_PX / width });
  const canvases = document.canvasFactory as { create(width: number, height: number): { canvas: NodeCanvas } };
  const { canvas } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  return readCover(new Uint8Array(canvas.toBuffer('image/png')));
}

type NodeCanvas = { toBuffer(type: 'image/png'): Buffer };

/** The title; undefined for one that a program has written by itself, such as a file name. */
const cleanName = (name: string | undefined): string | undefined =>
  name === undefined ||
  /^(?:untitled|unnamed|title)$|^microsoft \w+ - |\.(?:docx?|odt|rtf|indd|qxp|tex|dvi|pdf|pptx?|xlsx?)$/i.test(name)
    ? undefined
    : name;

const isFullName = (text: string): boolean => /\S\s+\S/.test(text);

/** Splits a list of people; a comma may also separate a surname from a first name. */
function parsePeople(text: string): string[] {
  const groups = text.split(/\s*;\s*|\s+(?:and|&)\s+/i).map((each) => each.trim());
  return groups
    .flatMap((group) => {
      const parts = group.split(/\s*,\s*/);
      return parts.length > 1 && parts.every(isFullName) ? parts : [group];
    })
    .filter((name) => name !== '');
}

function toImportError(error: unknown): unknown {
  if (error instanceof BrokenPublication || !(error instanceof Error)) return error;
  if (error.name === 'PasswordException') return new BrokenPublication('it needs a password', 'book_protected');
  return ['InvalidPDFException', 'FormatError', 'MissingDataException', 'UnknownErrorException'].includes(error.name)
    ? new BrokenPublication(`it is not a readable PDF: ${error.message}`)
    : error;
}
