import { malformed, problemOfFailure, raise } from './problem.ts';

/** Bytes of an answer that are read at most; the longest list the server sends is far below. */
const largestAnswer = 8 * 1024 * 1024;

const decoderOf = (response: Response): TextDecoder => {
  const charset = /charset="?([\w-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1];
  try {
    return new TextDecoder(charset);
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
  const decoder = decoderOf(response);
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => raise(problemOfFailure(error)));
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limit) raise(malformed(call, '', 'the answer is too long'));
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
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
