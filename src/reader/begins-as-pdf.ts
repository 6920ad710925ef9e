import { fetchMedia } from './fetch-media.ts';

const SIGNATURE = '%PDF';

const readFirstBytes = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const reader = body.getReader();
  const { value } = await reader.read();
  // Some servers ignore the range and send the whole file.
  await reader.cancel();
  return value ?? new Uint8Array();
};

/** Whether a file is a PDF by its first bytes; false where it cannot be fetched. */
export const beginsAsPdf = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    const { body } = await fetchMedia(url, signal, 'GET', { Range: `bytes=0-${SIGNATURE.length - 1}` });
    return body !== null && new TextDecoder().decode(await readFirstBytes(body)).startsWith(SIGNATURE);
  } catch {
    signal.throwIfAborted();
    return false;
  }
};
