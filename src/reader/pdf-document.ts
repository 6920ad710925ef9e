import { AbortException, getDocument, GlobalWorkerOptions, InvalidPDFException, PasswordException } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the bundler creates the address
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import type { PDFDataRangeTransport, PDFDocumentLoadingTask } from 'pdfjs-dist';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import { malformedProblem, offlineProblem } from '../client/wire/problem.ts';
import type { PdfAssetKind } from './pdf-assets.ts';
import { RANGE_BYTES } from './pdf-ranges.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fetches the files that pdf.js requests by name, from their hashed addresses. */
class AssetLoader {
  async fetch({ kind, filename }: { kind: PdfAssetKind; filename: string }): Promise<Uint8Array> {
    const { findPdfAssetUrl } = await import('./pdf-assets.ts');
    const url = findPdfAssetUrl(kind, filename);
    if (url === undefined) throw new Error(`Unknown pdf.js asset of the kind ${kind}: ${filename}`);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`pdf.js asset ${filename} could not be loaded: HTTP ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/**
 * Opens a document from ranges or from all of its bytes. Of ranges, only those for the shown pages
 * are requested, never the whole file in the background.
 */
export const openPdf = (source: { range: PDFDataRangeTransport } | { data: Uint8Array }): PDFDocumentLoadingTask =>
  getDocument({
    ...source,
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: RANGE_BYTES,
    enableXfa: false,
    useWorkerFetch: false,
    BinaryDataFactory: AssetLoader,
  });

export const toPdfProblem = (error: unknown): Problem => {
  if (error instanceof InvalidPDFException || error instanceof PasswordException) {
    return malformedProblem('pdf', '', String(error.message));
  }
  return error instanceof AbortException ? offlineProblem() : toProblem(error);
};
