import { malformedProblem, toFetchProblem, throwProblem } from './problem.ts';

/** Maximum bytes of an answer; the longest list that the server sends is far smaller. */
const maxResponseBytes = 8 * 1024 * 1024;

/**
 * The encoding that an answer declares in its first bytes: a byte order mark or an XML declaration.
 * A declared UTF-16 in single-byte text is ignored: .NET declares it for strings.
 */
const getDeclaredEncoding = (start: string): string | undefined =>
  start.startsWith('\xFE\xFF')
    ? 'utf-16be'
    : start.startsWith('\xFF\xFE')
      ? 'utf-16le'
      : /^[^<]*<\?xml[^>]*encoding=["'](?!utf-?16)([\w-]+)/i.exec(start)?.[1];

const createDecoder = (response: Response, firstBytes: Uint8Array): TextDecoder => {
  const charset = /charset="?([\w-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1];
  try {
    return new TextDecoder(charset ?? getDeclaredEncoding(String.fromCharCode(...firstBytes.subarray(0, 128))));
  } catch {
    return new TextDecoder();
  }
};

/**
 * The answer's text in pieces, as it arrives.
 * @throws Problem `offline` or `timeout` when the answer breaks off, `malformed` when it is too
 * long.
 */
export async function* readChunks(call: string, response: Response, limit = maxResponseBytes): AsyncGenerator<string, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let decoder: TextDecoder | null = null;
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => throwProblem(toFetchProblem(error)));
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limit) throwProblem(malformedProblem(call, '', 'the answer is too long'));
      decoder ??= createDecoder(response, value);
      yield decoder.decode(value, { stream: true });
    }
    if (decoder !== null) yield decoder.decode();
  } finally {
    // An unread body would keep its connection; the cancellation is not awaited.
    reader.cancel().catch(() => undefined);
  }
}

/** The whole text of an answer; throws as `readChunks` does. */
export const readText = async (call: string, response: Response, limit?: number): Promise<string> => {
  let text = '';
  for await (const chunk of readChunks(call, response, limit)) text += chunk;
  return text;
};
