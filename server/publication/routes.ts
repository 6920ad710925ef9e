import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ThreadLimits } from '../base/limited-threads.ts';
import { CompressedMedia, isSentCompressed } from './compressed-media.ts';
import { InteractivePages } from './interactive-pages.ts';
import { insidePath, mediaFile } from './media-file.ts';
import { MediaRefusal, missing, outOfRange, refuse } from './media-refusal.ts';
import { mediaSource } from './media-source.ts';
import { mediaTypeOf } from './media-types.ts';
import { interactivePolicy, mediaHeaders } from './policies.ts';
import { PdfDocuments } from './pdf-documents.ts';
import { PublicationCache, type Lease } from './publication-cache.ts';
import type { Publication } from './publication.ts';
import { PublicationThreads } from './publication-threads.ts';
import { resource, type Resource } from './resource.ts';
import { addMediaHeaders, discard, type Found, sendForm, sendResource } from './send-resource.ts';

/** A token's files: in an absolute folder, a file or, if `path` ends with a slash, all below it. */
export type OpenedMedia = {
  folder: string;
  path: string;
  /**
   * Asked again while a long answer is sent; left out where nothing ends the right, as for a
   * sample.
   */
  mayStillRead?: () => Promise<boolean>;
};
export type MediaOptions = {
  /**
   * Null for a token that is forged, has expired or lost its right; `file` begins the path that is
   * asked for.
   */
  verify(token: string, file: string): Promise<OpenedMedia | null> | OpenedMedia | null;
  /** How many books are kept open. */
  openBooks?: number;
  /** What one book may cost. */
  limits?: ThreadLimits;
};

/**
 * A right that has ended opens nothing after a minute: each process remembers it for up to 20 s
 * (DEFAULT_MEDIA_RIGHTS_FRESHNESS). To that a browser adds 20 s for which it shows a file again
 * without asking (BROWSER_CACHE_SECONDS), or an answer under way adds 20 s until it is checked
 * again, and 20 s more where a check fails.
 */
const RECHECK_MS = 20_000;

/** Checks in a row that may fail before an answer ends, as it would when asked for again. */
const MAX_FAILED_CHECKS = 2;

/**
 * Serves `GET /media/{token}/…`: a book's manifest, positions and files out of its EPUB, and the other media as files,
 * all with ranges. Only tokens, which hold a dot, are answered: public pictures may be served beside it. The token is
 * no parameter of the route, since Fastify answers 404 to parameters of more than a hundred characters.
 */
export async function mediaRoutes(app: FastifyInstance, { verify, openBooks, limits }: MediaOptions): Promise<void> {
  const threads = new PublicationThreads((error) => app.log.error(error), limits);
  const publications = new PublicationCache(threads, openBooks);
  const documents = new PdfDocuments((path) => threads.gatherPages(path));
  const pages = new InteractivePages();
  const compressed = new CompressedMedia();
  app.addHook('onClose', async () => {
    await publications.close();
    await threads.close();
  });
  // A page asks with HEAD whether an interactive title is there before it frames it, whatever the app does with HEAD elsewhere.
  app.get('/media/*', { errorHandler: refuse, exposeHeadRoute: true }, async (request, reply) => {
    const [token = '', ...segments] = segmentsOf(request.url);
    if (!/^[\w-]+\.[\w-]+$/.test(token)) return reply.callNotFound();
    reply.headers(mediaHeaders);
    const closed = closedSignal(reply);
    const media = await verify(token, segments[0] ?? '');
    if (media === null) throw new MediaRefusal(403, 'media_denied', 'This address has expired or is not valid.');
    if (!isWithin(media.path, segments.join('/'))) throw missing();
    if (closed.aborted) return reply.hijack();
    if (media.mayStillRead) endWithRight(reply, closed, media.mayStillRead);
    const book = segments.findIndex((segment) => segment.toLowerCase().endsWith('.epub'));
    const asked: AskedFile = { request, reply, compressed, folder: media.folder, segments };
    if (book >= 0) return answerBook(asked, publications, book + 1);
    return mediaTypeOf(segments.at(-1) ?? '')?.startsWith('text/html')
      ? answerInteractive(asked, pages, filesSource(request, token, media.path))
      : answerFile(asked, documents);
  });
}

/** Whether an address of `path` opens the file `asked`; a book's parts lie below its own file. */
const isWithin = (path: string, asked: string): boolean =>
  path.endsWith('/') ? asked.startsWith(path) : asked === path || asked.startsWith(`${path}/`);

/** Aborts when the answer was sent, or its client is gone, over HTTP/1 and HTTP/2 alike. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  raw.once('close', () => closed.abort());
  return closed.signal;
}

/** A film is sent for as long as it is watched; the rest is not sent once the right has ended. */
function endWithRight({ raw }: FastifyReply, closed: AbortSignal, mayStillRead: () => Promise<boolean>): void {
  let failedChecks = 0;
  let isChecking = false;
  const end = (): void => {
    clearInterval(timer);
    raw.destroy();
  };
  const check = async (): Promise<void> => {
    // The database has not answered since the last check.
    if (isChecking) return end();
    isChecking = true;
    const may = await mayStillRead().catch(() => undefined);
    isChecking = false;
    failedChecks = may === undefined ? failedChecks + 1 : 0;
    return may === false || failedChecks >= MAX_FAILED_CHECKS ? end() : undefined;
  };
  const timer = setInterval(() => void check(), RECHECK_MS).unref();
  closed.addEventListener('abort', () => clearInterval(timer));
}

/** The address of a token's files, as a source of a content policy. */
const filesSource = (request: FastifyRequest, token: string, path: string): string =>
  mediaSource(request, `${token}/${path.split('/').map(encodeURIComponent).join('/')}`);

/** What follows `/media/`, decoded. */
function segmentsOf(url: string): string[] {
  const segments = (url.split('?', 1)[0] ?? '')
    .split('/')
    .slice(2)
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        throw missing();
      }
    });
  if (segments.some((segment) => /^\.{0,2}$|[/\\\0]/.test(segment))) throw missing();
  return segments;
}

/** A request for a file below a folder. */
type AskedFile = {
  request: FastifyRequest;
  reply: FastifyReply;
  compressed: CompressedMedia;
  folder: string;
  segments: string[];
};

async function answerFile(
  { request, reply, compressed, folder, segments }: AskedFile,
  documents: PdfDocuments,
): Promise<FastifyReply> {
  const document = segments.at(-1)?.toLowerCase().endsWith('.pdf') ? await insidePath(folder, segments) : null;
  const gathered = document === null ? null : await openRange(request, (range) => documents.resource(document, range));
  if (document !== null && gathered !== null) return sendResource(request, reply, gathered, { compressed, source: document });
  const file = await mediaFile(request.raw, folder, segments);
  if (file === null) throw missing();
  const { type, sent } = file;
  if (sent.statusCode === 416) throw outOfRange(reply, sent.headers['Content-Range'] ?? '');
  if (sent.statusCode === 412) throw new MediaRefusal(412, 'changed', 'The file is no longer what it was.');
  if (sent.type !== 'file') throw missing();
  const { 'Content-Length': length, ...headers } = sent.headers;
  const text = { state: `${sent.metadata.path}\0${headers['ETag']}`, type, size: Number(length ?? 0), body: sent.stream };
  const isWhole = sent.statusCode === 200 && request.method === 'GET';
  const form = isWhole ? await compressed.form(request, text) : null;
  addMediaHeaders(reply, type);
  reply.headers(headers).code(sent.statusCode).type(type);
  if (form !== null) return sendForm(reply, form);
  // HEAD leaves out the length that only compressing would tell.
  if (length !== undefined && !(request.method === 'HEAD' && isSentCompressed(request, text)))
    reply.header('content-length', length);
  return reply.send(sent.stream);
}

/** A page of an interactive title, always whole. */
async function answerInteractive(
  { request, reply, compressed, folder, segments }: AskedFile,
  pages: InteractivePages,
  files: string,
): Promise<FastifyReply> {
  const path = await insidePath(folder, segments);
  const page = path === null ? null : await pages.get(path);
  if (path === null || page === null) throw missing();
  if (page === 'too large') throw new MediaRefusal(422, 'page_too_large', 'This page is too large to be opened.');
  const { etag, body } = page;
  const found = { type: 'text/html; charset=utf-8', etag, size: body.length, range: null, body };
  return sendResource(request, reply, found, { compressed, source: path, policy: interactivePolicy(files) });
}

async function answerBook(
  { request, reply, compressed, folder, segments }: AskedFile,
  publications: PublicationCache,
  inside: number,
): Promise<FastifyReply> {
  const file = await insidePath(folder, segments.slice(0, inside));
  const name = segments.slice(inside).join('/');
  if (file === null || name === '') throw missing();
  const lease = await publications.lease(file);
  try {
    const found =
      manifestOrPositions(lease.publication, name) ??
      (await openRange(request, (range) => resource(lease.publication, name, range)));
    releaseAfter(lease, found);
    return await sendResource(request, reply, found, { compressed, source: `${file}\0${name}` });
  } catch (error) {
    lease.release();
    throw error;
  }
}

function manifestOrPositions({ manifest, positions }: Publication, name: string): Resource | null {
  const document = name === 'manifest.json' ? manifest : name === '~positions.json' ? positions : null;
  if (document === null) return null;
  const type = name === 'manifest.json' ? 'application/webpub+json' : 'application/vnd.readium.position-list+json';
  return { ...document, type, size: document.body.length, range: null };
}

function releaseAfter(lease: Lease, found: Found): void {
  if (found !== null && 'body' in found && !Buffer.isBuffer(found.body)) found.body.once('close', lease.release);
  else lease.release();
}

/** Opens the part that is asked for; the whole when the client's copy is of another state of the file (RFC 9110, 13.1.5). */
async function openRange({ headers, method }: FastifyRequest, open: (range?: string) => Promise<Found>): Promise<Found> {
  const found = await open(method === 'GET' ? headers.range : undefined);
  const known = headers['if-range'];
  if (found === null || 'unsatisfiable' in found || found.range === null || known === undefined || known === found.etag) {
    return found;
  }
  discard(found.body);
  return open();
}
