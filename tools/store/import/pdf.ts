import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { BrokenPublication, assertReadable } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { parseDay, noFacts, type TitleFacts, type ReadCover } from './facts.ts';

/** Maximum size of a document in bytes; it is read into memory. */
const MAX_FILE_BYTES = 2 ** 30;
/** Width in pixels of the first page's rendering, which is the cover. */
const COVER_WIDTH_PX = 900;

const getPdfjsFolder = (name: string): string =>
  fileURLToPath(new URL(`${name}/`, import.meta.resolve('pdfjs-dist/package.json')));

/**
 * Reads a PDF: its metadata, its page tree, and its first page as a cover.
 * @throws BrokenPublication if it is broken or needs a password
 */
export async function readPdf(file: string): Promise<TitleFacts> {
  assertReadable((await stat(file)).size <= MAX_FILE_BYTES, 'it is larger than 1 GB');
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
    const cover = await drawFirstPage(document).catch(() => undefined);
    const { info, metadata } = await document.getMetadata();
    const own = info as Record<string, unknown>;
    const textOf = (name: string, inXmp: string): string | undefined => {
      const value: unknown = metadata?.get(inXmp) ?? own[name];
      const said = Array.isArray(value) ? value.join('; ') : value;
      return typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined;
    };
    return {
      ...noFacts,
      medium: 'pdf',
      name: cleanName(textOf('Title', 'dc:title')),
      identifiers: [textOf('', 'prism:isbn') ?? '', textOf('', 'dc:identifier') ?? ''].filter((each) => each !== ''),
      authors: parsePeople(textOf('Author', 'dc:creator') ?? ''),
      publisher: textOf('', 'dc:publisher'),
      language: textOf('Language', 'dc:language'),
      publishedOn: parseDay(textOf('', 'prism:publicationDate')),
      description: textOf('Subject', 'dc:description'),
      pages: document.numPages,
      cover,
      remarks: cover === undefined ? ['its first page cannot be rendered, so it has no cover'] : [],
      parts: [{ file, name: '', durationSeconds: 0 }],
    };
  } catch (error) {
    throw explainError(error);
  } finally {
    await task.destroy();
  }
}

/** Checks the page tree by loading the last page. */
async function assertPages(document: PDFDocumentProxy): Promise<void> {
  assertReadable(document.numPages > 0, 'it has no pages');
  const first = await document.getPage(1);
  const { width, height } = first.getViewport({ scale: 1 });
  assertReadable(width > 0 && height > 0, 'its first page has no size');
  await document.getPage(document.numPages);
}

async function drawFirstPage(document: PDFDocumentProxy): Promise<ReadCover> {
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  assertReadable(height / width < 20, 'its first page is a strip');
  const viewport = page.getViewport({ scale: COVER_WIDTH_PX / width });
  const canvases = document.canvasFactory as { create(width: number, height: number): { canvas: DrawnCanvas } };
  const { canvas } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  return readCover(new Uint8Array(canvas.toBuffer('image/png')));
}

type DrawnCanvas = { toBuffer(type: 'image/png'): Buffer };

/** Some programs write the file name into the title. */
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

function explainError(error: unknown): unknown {
  if (error instanceof BrokenPublication || !(error instanceof Error)) return error;
  if (error.name === 'PasswordException') return new BrokenPublication('it needs a password', 'book_protected');
  return ['InvalidPDFException', 'FormatError', 'MissingDataException', 'UnknownErrorException'].includes(error.name)
    ? new BrokenPublication(`it is not a readable PDF: ${error.message}`)
    : error;
}
