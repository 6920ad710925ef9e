import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { BrokenPublication, demand } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { dayIn, noFacts, type Facts, type ReadCover } from './facts.ts';

/** Bytes of a document, which is read at once. */
const LARGEST = 2 ** 30;
/** Pixels that the first page is drawn wide, as a cover. */
const COVER_WIDTH = 900;

const folderOf = (name: string): string => fileURLToPath(new URL(`${name}/`, import.meta.resolve('pdfjs-dist/package.json')));

/**
 * Reads a PDF: what it says of itself, its page tree, and its first page as a cover.
 * @throws BrokenPublication when it is broken or asks for a password
 */
export async function readPdf(file: string): Promise<Facts> {
  demand((await stat(file)).size <= LARGEST, 'it has more than 1 GB');
  const task = getDocument({
    data: new Uint8Array(await readFile(file)),
    // Nothing of the document runs, and nothing is fetched.
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
    standardFontDataUrl: folderOf('standard_fonts'),
    cMapUrl: folderOf('cmaps'),
    wasmUrl: folderOf('wasm'),
    iccUrl: folderOf('iccs'),
  });
  try {
    const document = await task.promise;
    await checkPages(document);
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
      name: properName(textOf('Title', 'dc:title')),
      identifiers: [textOf('', 'prism:isbn') ?? '', textOf('', 'dc:identifier') ?? ''].filter((each) => each !== ''),
      authors: peopleIn(textOf('Author', 'dc:creator') ?? ''),
      publisher: textOf('', 'dc:publisher'),
      language: textOf('Language', 'dc:language'),
      publishedOn: dayIn(textOf('', 'prism:publicationDate')),
      description: textOf('Subject', 'dc:description'),
      pages: document.numPages,
      cover,
      remarks: cover === undefined ? ['its first page cannot be drawn, so it has no cover'] : [],
      parts: [{ file, name: '', durationSeconds: 0 }],
    };
  } catch (error) {
    throw explained(error);
  } finally {
    await task.destroy();
  }
}

/** The tree of pages leads to the last one. */
async function checkPages(document: PDFDocumentProxy): Promise<void> {
  demand(document.numPages > 0, 'it has no page');
  const first = await document.getPage(1);
  const { width, height } = first.getViewport({ scale: 1 });
  demand(width > 0 && height > 0, 'its first page has no size');
  await document.getPage(document.numPages);
}

async function drawFirstPage(document: PDFDocumentProxy): Promise<ReadCover> {
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  demand(height / width < 20, 'its first page is a strip');
  const viewport = page.getViewport({ scale: COVER_WIDTH / width });
  const canvases = document.canvasFactory as { create(width: number, height: number): { canvas: DrawnCanvas } };
  const { canvas } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  return readCover(new Uint8Array(canvas.toBuffer('image/png')));
}

type DrawnCanvas = { toBuffer(type: 'image/png'): Buffer };

/** Programs write the name of a file where the title belongs. */
const properName = (name: string | undefined): string | undefined =>
  name === undefined ||
  /^(?:untitled|unnamed|title)$|^microsoft \w+ - |\.(?:docx?|odt|rtf|indd|qxp|tex|dvi|pdf|pptx?|xlsx?)$/i.test(name)
    ? undefined
    : name;

const isFullName = (text: string): boolean => /\S\s+\S/.test(text);

/** People as they are written one after the other; a comma may also stand between a name and a first name. */
function peopleIn(text: string): string[] {
  const groups = text.split(/\s*;\s*|\s+(?:and|&)\s+/i).map((each) => each.trim());
  return groups
    .flatMap((group) => {
      const parts = group.split(/\s*,\s*/);
      return parts.length > 1 && parts.every(isFullName) ? parts : [group];
    })
    .filter((name) => name !== '');
}

function explained(error: unknown): unknown {
  if (error instanceof BrokenPublication || !(error instanceof Error)) return error;
  if (error.name === 'PasswordException') return new BrokenPublication('it asks for a password', 'book_protected');
  return ['InvalidPDFException', 'FormatError', 'MissingDataException', 'UnknownErrorException'].includes(error.name)
    ? new BrokenPublication(`it is no PDF that can be read: ${error.message}`)
    : error;
}
