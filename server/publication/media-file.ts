import type { IncomingMessage } from 'node:http';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { send, type SendResult } from '@fastify/send';
import { mediaTypeOf } from './media-types.ts';

/**
 * A file of a title's media folder as it is, or the part of it that is asked for; `null` when there is none, it lies
 * elsewhere or is of a kind not served.
 */
export async function mediaFile(
  request: IncomingMessage,
  folder: string,
  segments: readonly string[],
): Promise<{ type: string; sent: SendResult } | null> {
  const type = mediaTypeOf(segments.at(-1) ?? '');
  const path = type === undefined || type.includes('epub') ? null : await insidePath(folder, segments);
  if (path === null || type === undefined) return null;
  const sent = await send(request, encodeURIComponent(path), {
    // The path of the folder itself may hold a name that begins with a dot.
    dotfiles: 'allow',
    cacheControl: false,
    contentType: false,
    acceptRanges: request.method === 'GET',
  });
  return { type, sent };
}

/** The real path of a file below the folder; null when it is missing, no file or reached by a link that leads out. */
export async function insidePath(folder: string, segments: readonly string[]): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, ...segments));
    return path.startsWith(root + sep) ? path : null;
  } catch {
    return null;
  }
}
