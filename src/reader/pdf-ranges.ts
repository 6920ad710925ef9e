import { PDFDataRangeTransport } from 'pdfjs-dist';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import { fetchRange } from './fetch-media.ts';
import { withRenewedAddress, type Renewable } from './renewable.ts';

/** Minimum bytes of a request, since many small requests cost more than some excess bytes. */
export const RANGE_BYTES = 64 * 1024;

/** Fetches the ranges that pdf.js requests, from the document's current address. */
class AddressedRanges extends PDFDataRangeTransport {
  readonly #fetchPart: (begin: number, end: number) => Promise<void>;

  constructor(
    length: number,
    firstBytes: Uint8Array,
    fetchPart: (transport: AddressedRanges, begin: number, end: number) => Promise<void>,
  ) {
    super(length, firstBytes);
    this.#fetchPart = (begin, end) => fetchPart(this, begin, end);
  }

  override requestDataRange(begin: number, end: number): void {
    void this.#fetchPart(begin, end);
  }
}

type RangeRequest = {
  address: Renewable<string>;
  signal: AbortSignal;
  /** Called when a range that pdf.js waits for has failed. Resolves when it should be retried. */
  onInterrupted: (problem: Problem) => Promise<void>;
  /** Called when a retry has succeeded. */
  onContinued: () => void;
};

/** Opens a document by ranges, or as a whole on a server without them; rejects with a Problem. */
export const openRanges = async ({
  address,
  signal,
  onInterrupted,
  onContinued,
}: RangeRequest): Promise<{ range: PDFDataRangeTransport } | { data: Uint8Array }> => {
  const fetchBytes = (begin: number, end: number) => withRenewedAddress(address, (url) => fetchRange(url, signal, begin, end));
  const { bytes, size } = await fetchBytes(0, RANGE_BYTES);
  if (size === null) return { data: bytes };
  return {
    range: new AddressedRanges(size, bytes, async (transport, begin, end) => {
      for (let isRetry = false; ; isRetry = true) {
        try {
          transport.onDataRange(begin, (await fetchBytes(begin, end)).bytes);
          if (isRetry) onContinued();
          return;
        } catch (error) {
          if (signal.aborted) return;
          await onInterrupted(toProblem(error));
        }
      }
    }),
  };
};
