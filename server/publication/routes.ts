import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ThreadLimits } from '../base/limited-threads.ts';
import { CompressedMedia, acceptsCompressed } from './compressed-media.ts';
import { InteractivePages } from './interactive-pages.ts';
import { resolveInside, openMediaFile } from './media-file.ts';
import { MediaRefusal, fileMissing, outOfRange, sendRefusal } from './media-refusal.ts';
import { toPolicySource } from './media-source.ts';
import { getMediaType } from './media-types.ts';
import { createInteractivePolicy, mediaHeaders } from './policies.ts';
import { PdfDocuments } from './pdf-documents.ts';
import { PublicationCache, type Lease } from './publication-cache.ts';
import type { Publication } from './publication.ts';
import { PublicationThreads } from './publication-threads.ts';
import { readResource, type Resource } from './resource.ts';
import { addMediaHeaders, discard, type ResourceResult, sendCompressed, sendResource } from './send-resource.ts';

/**
 * The files of a token: the path is a file in an absolute folder or, if it ends with a slash, all
 * files below it.
 */
export type OpenedMedia = {
  folder: string;
  path: string;
  /**
   * Checked again while a long answer is sent; left out where the right cannot end, as for a
   * sample.
   */
  mayStillRead?: () => Promise<boolean>;
};
export type MediaOptions = {
  /**
   * The files that a token opens; null for a token that is forged, expired or without a right.
   * `file` is the first segment of the requested path.
   */
  verify(token: string, file: string): Promise<OpenedMedia | null> | OpenedMedia | null;
  /** Maximum number of open books. */
  openBooks?: number;
  /** Limits of time and memory per book. */
  limits?: ThreadLimits;
};

/**
 * Milliseconds between two checks of the right during a long answer. An ended right opens nothing
 * after a minute: each process caches it for up to 20 s (DEFAULT_MEDIA_RIGHTS_CACHE_MS). A browser
 * adds 20 s for which it shows a cached file (BROWSER_CACHE_SECONDS), or a running answer adds 20 s
 * until its next check, and another 20 s where a check fails.
 */
const RECHECK_MS = 20_000;

/** Consecutive failed checks after which an answer is aborted, as a new request would fail. */
const MAX_FAILED_CHECKS = 2;

/**
 * Serves `GET /media/{token}/…`: manifest, positions and files of a book's EPUB, and other media as
 * files; with ranges, except for manifests, positions and pages. Only paths that start with a
 * token, which contains a dot, are answered: public pictures may be served beside them. The token
 * is not a route parameter, since Fastify answers 404 to parameters of more than a hundred
 * characters.
 */
export async function mediaRoutes(app: FastifyInstance, { verify, openBooks, limits }: MediaOptions): Promise<void> {
  const threads = new PublicationThreads((err) => app.log.error({ err }, 'publication.worker.crashed'), limits);
  const publications = new PublicationCache(threads, openBooks);
  const documents = new PdfDocuments((path) => threads.gatherPages(path));
  const pages = new InteractivePages();
  const compressed = new CompressedMedia();
  app.addHook('onClose', async () => {
    await publications.close();
    await threads.close();
  });
  // Answers HEAD although the server's `exposeHeadRoutes` is off: the app asks by HEAD whether an
  // interactive title can be opened before it loads the title in an iframe.
  app.get('/media/*', { errorHandler: sendRefusal, exposeHeadRoute: true }, async (request, reply) => {
    const [token = '', ...segments] = toSegments(request.url);
    if (!/^[\w-]+\.[\w-]+$/.test(token)) return reply.callNotFound();
    reply.headers(mediaHeaders);
    const closedSignal = createClosedSignal(reply);
    const media = await verify(token, segments[0] ?? '');
    if (media === null) throw new MediaRefusal(403, 'media_denied', 'This address has expired or is not valid.');
    if (!isWithin(media.path, segments.join('/'))) throw fileMissing();
    if (closedSignal.aborted) return reply.hijack();
    if (media.mayStillRead) abortWhenRightEnds(reply, closedSignal, media.mayStillRead);
    const bookIndex = segments.findIndex((segment) => segment.toLowerCase().endsWith('.epub'));
    const fileRequest: FileRequest = { request, reply, compressed, folder: media.folder, segments };
    if (bookIndex >= 0) return answerBook(fileRequest, publications, bookIndex + 1);
    return getMediaType(segments.at(-1) ?? '')?.startsWith('text/html')
      ? answerInteractive(fileRequest, pages, toFilesSource(request, token, media.path))
      : answerFile(fileRequest, documents);
  });
}

/**
 * Whether a token for `path` opens the requested path; the parts of a book are below its own file.
 */
const isWithin = (path: string, requestedPath: string): boolean =>
  path.endsWith('/') ? requestedPath.startsWith(path) : requestedPath === path || requestedPath.startsWith(`${path}/`);

/**
 * Aborted when the answer was sent or its client has disconnected, over HTTP/1 and HTTP/2 alike.
 */
function createClosedSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

/** A film is sent for as long as it is watched; the answer is aborted once the right has ended. */
function abortWhenRightEnds({ raw }: FastifyReply, closedSignal: AbortSignal, mayStillRead: () => Promise<boolean>): void {
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
    const isAllowed = await mayStillRead().catch(() => undefined);
    isChecking = false;
    failedChecks = isAllowed === undefined ? failedChecks + 1 : 0;
    return isAllowed === false || failedChecks >= MAX_FAILED_CHECKS ? end() : undefined;
  };
  const timer = setInterval(() => void check(), RECHECK_MS).unref();
  closedSignal.addEventListener('abort', () => clearInterval(timer));
}

/** The address of a token's files, as a source of a content policy. */
const toFilesSource = (request: FastifyRequest, token: string, path: string): string =>
  toPolicySource(request, `${token}/${path.split('/').map(encodeURIComponent).join('/')}`);

/** The decoded path segments after `/media/`. */
function toSegments(url: string): string[] {
  const segments = (url.split('?', 1)[0] ?? '')
    .split('/')
    .slice(2)
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        throw fileMissing();
      }
    });
  if (segments.some((segment) => /^\.{0,2}$|[/\\\0]/.test(segment))) throw fileMissing();
  return segments;
}

/** A request for a file in a folder. */
type FileRequest = {
  request: FastifyRequest;
  reply: FastifyReply;
  compressed: CompressedMedia;
  folder: string;
  segments: string[];
};

async function answerFile(
  { request, reply, compressed, folder, segments }: FileRequest,
  documents: PdfDocuments,
): Promise<FastifyReply> {
  const document = segments.at(-1)?.toLowerCase().endsWith('.pdf') ? await resolveInside(folder, segments) : null;
  const pdfResource = document === null ? null : await openRange(request, (range) => documents.getResource(document, range));
  if (document !== null && pdfResource !== null)
    return sendResource(request, reply, pdfResource, { compressed, source: document });
  const file = await openMediaFile(request.raw, folder, segments);
  if (file === null) throw fileMissing();
  const { type, sendResult } = file;
  if (sendResult.statusCode === 416) throw outOfRange(reply, sendResult.headers['Content-Range'] ?? '');
  if (sendResult.statusCode === 412) throw new MediaRefusal(412, 'changed', 'The file has changed since.');
  if (sendResult.type !== 'file') throw fileMissing();
  const { 'Content-Length': length, ...headers } = sendResult.headers;
  const text = {
    state: `${sendResult.metadata.path}\0${headers['ETag']}`,
    type,
    size: Number(length ?? 0),
    body: sendResult.stream,
  };
  const isFullResponse = sendResult.statusCode === 200 && request.method === 'GET';
  const form = isFullResponse ? await compressed.getForm(request, text) : null;
  addMediaHeaders(reply, type);
  reply.headers(headers).code(sendResult.statusCode).type(type);
  if (form !== null) return sendCompressed(reply, form);
  // HEAD omits the length, which is only known after compressing.
  if (length !== undefined && !(request.method === 'HEAD' && acceptsCompressed(request, text)))
    reply.header('content-length', length);
  return reply.send(sendResult.stream);
}

/** A page of an interactive title, never a range. */
async function answerInteractive(
  { request, reply, compressed, folder, segments }: FileRequest,
  pages: InteractivePages,
  files: string,
): Promise<FastifyReply> {
  const path = await resolveInside(folder, segments);
  const page = path === null ? null : await pages.get(path);
  if (path === null || page === null) throw fileMissing();
  if (page === 'too large') throw new MediaRefusal(422, 'page_too_large', 'This page is too large to be opened.');
  const { etag, body } = page;
  const resource = { type: 'text/html; charset=utf-8', etag, size: body.length, range: null, body };
  return sendResource(request, reply, resource, { compressed, source: path, policy: createInteractivePolicy(files) });
}

async function answerBook(
  { request, reply, compressed, folder, segments }: FileRequest,
  publications: PublicationCache,
  bookSegmentCount: number,
): Promise<FastifyReply> {
  const file = await resolveInside(folder, segments.slice(0, bookSegmentCount));
  const name = segments.slice(bookSegmentCount).join('/');
  if (file === null || name === '') throw fileMissing();
  const lease = await publications.lease(file);
  try {
    const resource =
      findManifestOrPositions(lease.publication, name) ??
      (await openRange(request, (range) => readResource(lease.publication, name, range)));
    releaseAfter(lease, resource);
    return await sendResource(request, reply, resource, { compressed, source: `${file}\0${name}` });
  } catch (error) {
    lease.release();
    throw error;
  }
}

function findManifestOrPositions({ manifest, positions }: Publication, name: string): Resource | null {
  const document = name === 'manifest.json' ? manifest : name === '~positions.json' ? positions : null;
  if (document === null) return null;
  const type = name === 'manifest.json' ? 'application/webpub+json' : 'application/vnd.readium.position-list+json';
  return { ...document, type, size: document.body.length, range: null };
}

function releaseAfter(lease: Lease, resource: ResourceResult): void {
  if (resource !== null && 'body' in resource && !Buffer.isBuffer(resource.body)) resource.body.once('close', lease.release);
  else lease.release();
}

/**
 * Opens the requested range; the whole file when the client's copy is of another version of it (RFC
 * 9110, 13.1.5).
 */
async function openRange(
  { headers, method }: FastifyRequest,
  open: (range?: string) => Promise<ResourceResult>,
): Promise<ResourceResult> {
  const resource = await open(method === 'GET' ? headers.range : undefined);
  const ifRange = headers['if-range'];
  if (
    resource === null ||
    'unsatisfiable' in resource ||
    resource.range === null ||
    ifRange === undefined ||
    ifRange === resource.etag
  ) {
    return resource;
  }
  discard(resource.body);
  return open();
}
