import { malformed, problemOfFailure, raise } from './problem.ts';

/** Bytes of an answer that are read at most; the longest list the server sends is far below. */
const largestAnswer = 8 * 1024 * 1024;

/**
 * What an answer says of its own encoding by its first bytes: a byte order mark, or an XML declaration. One that declares
 * UTF-16 in bytes of which each is a character means something else, as texts out of .NET do.
 */
const declaredIn = (start: string): string | undefined =>
  start.startsWith('\xFE\xFF')
    ? 'utf-16be'
    : start.startsWith('\xFF\xFE')
      ? 'utf-16le'
      : /^[^<]*<\?xml[^>]*encoding=["'](?!utf-?16)([\w-]+)/i.exec(start)?.[1];

const decoderOf = (response: Response, first: Uint8Array): TextDecoder => {
  const charset = /charset="?([\w-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1];
  try {
    return new TextDecoder(charset ?? declaredIn(String.fromCharCode(...first.subarray(0, 128))));
  } catch {
    return new TextDecoder();
  }
};

/**
 * The answer's text as it arrives.
 * @throws Problem `offline` or `timeout` when the answer is torn, `malformed` when it is too long.
 */
export async function* chunksOf(call: string, response: Response, limit = largestAnswer): AsyncGenerator<string, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let decoder: TextDecoder | null = null;
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => raise(problemOfFailure(error)));
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limit) raise(malformed(call, '', 'the answer is too long'));
      decoder ??= decoderOf(response, value);
      yield decoder.decode(value, { stream: true });
    }
    if (decoder !== null) yield decoder.decode();
  } finally {
    // A body left half read would hold its connection; nothing waits for it to be let go.
    reader.cancel().catch(() => undefined);
  }
}

/** The whole text of an answer; throws as `chunksOf` does. */
export const textOf = async (call: string, response: Response, limit?: number): Promise<string> => {
  let text = '';
  for await (const chunk of chunksOf(call, response, limit)) text += chunk;
  return text;
};
