import * as v from 'valibot';
import type { Problem } from '../../machines/model/problem.ts';
import { httpProblem, malformedProblem, toFetchProblem, throwProblem } from '../client/wire/problem.ts';

const ErrorDocument = v.object({ error: v.string(), code: v.string(), status: v.number() });

const DENIED_BY_STATUS = 'HTTP Error: 403';

/**
 * The media server's error answer as a Problem; `text` is its body, `status` its HTTP status, if
 * known.
 */
export const toMediaProblem = (text: string, status = 0): Problem => {
  const document = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorDocument), text);
  if (document.success) return { kind: 'refused', code: document.output.code, message: document.output.error };
  if (status === 401) return { kind: 'unauthorized' };
  // An answer to HEAD has only its status.
  return status === 403 ? { kind: 'refused', code: 'media_denied', message: DENIED_BY_STATUS } : httpProblem(status);
};

/**
 * Whether a Problem is a plain status 401 or 403, which other servers, such as file stores, send
 * for missing files; our server sends a code.
 */
export const isDeniedByStatus = (problem: Problem): boolean =>
  problem.kind === 'unauthorized' || (problem.kind === 'refused' && problem.message === DENIED_BY_STATUS);

/** Timeout of an answer without a body. */
const HEAD_LIMIT_MS = 20_000;
/** Timeout of the next bytes of a range. */
const SILENCE_LIMIT_MS = 20_000;

const withTimeout = (signal: AbortSignal, milliseconds: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);

/** A signal that aborts if `restart` is not called for too long, since no data has arrived. */
const createSilenceTimeout = (signal: AbortSignal) => {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(
      () => silence.abort(new DOMException(`No data for ${SILENCE_LIMIT_MS} ms`, 'TimeoutError')),
      SILENCE_LIMIT_MS,
    );
  };
  restart();
  return { signal: AbortSignal.any([signal, silence.signal]), restart, stop };
};

/** The bytes of an answer, without a timeout while they keep arriving. */
const readBytes = async (answer: Response, onBytes: () => void): Promise<Uint8Array> => {
  const pieces: BlobPart[] = [];
  const reader = answer.body?.getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    onBytes();
    pieces.push(piece.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
};

/** Fetches a media file; rejects with a Problem unless it succeeds. */
export const fetchMedia = async (
  url: string,
  signal: AbortSignal,
  method: 'GET' | 'HEAD' = 'GET',
  headers: Record<string, string> = {},
): Promise<Response> => {
  // HEAD checks whether an address is still valid on the server: the browser may have its content
  // cached.
  const cache = method === 'HEAD' ? 'no-store' : 'default';
  const limitedSignal = method === 'HEAD' ? withTimeout(signal, HEAD_LIMIT_MS) : signal;
  const answer = await fetch(url, { method, headers, signal: limitedSignal, cache }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return throwProblem(toFetchProblem(error));
  });
  return answer.ok ? answer : throwProblem(toMediaProblem(await answer.text(), answer.status));
};

/**
 * Fetches the bytes of a file from `begin` up to, but not including, `end`. `size` is the file's
 * size; null if the bytes are the whole file.
 */
export const fetchRange = async (
  url: string,
  signal: AbortSignal,
  begin: number,
  end: number,
): Promise<{ bytes: Uint8Array; size: number | null }> => {
  const silenceTimeout = createSilenceTimeout(signal);
  const fetchBytes = async () => {
    const answer = await fetchMedia(url, silenceTimeout.signal, 'GET', { Range: `bytes=${begin}-${end - 1}` });
    return { answer, bytes: await readBytes(answer, silenceTimeout.restart) };
  };
  const { answer, bytes } = await fetchBytes()
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return throwProblem(toFetchProblem(error));
    })
    .finally(silenceTimeout.stop);
  const size = /\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1];
  return { bytes, size: answer.status === 206 && size !== undefined ? Number(size) : null };
};

/** Fetches and validates a JSON file; `call` names it in a Problem. */
export const fetchChecked = async <Schema extends v.GenericSchema>(
  call: string,
  url: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<v.InferOutput<Schema>> => {
  const answer = await fetchMedia(url, signal);
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await answer.text());
  if (result.success) return result.output;
  const [issue] = result.issues;
  return throwProblem(malformedProblem(call, v.getDotPath(issue) ?? '', issue.message));
};
