import type { IncomingMessage } from 'node:http';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { send, type SendResult } from '@fastify/send';
import { getMediaType } from './media-types.ts';

/**
 * A file in a title's media folder, or the requested range of it; `null` when it does not exist, is
 * outside the folder, or is of a type that is not served.
 */
export async function openMediaFile(
  request: IncomingMessage,
  folder: string,
  segments: readonly string[],
): Promise<{ type: string; sendResult: SendResult } | null> {
  const type = getMediaType(segments.at(-1) ?? '');
  const path = type === undefined || type.includes('epub') ? null : await resolveInside(folder, segments);
  if (path === null || type === undefined) return null;
  const sendResult = await send(request, encodeURIComponent(path), {
    // The path of the media folder itself may contain a name that starts with a dot.
    dotfiles: 'allow',
    cacheControl: false,
    contentType: false,
    acceptRanges: request.method === 'GET',
  });
  return { type, sendResult };
}

/**
 * The real path of a file or folder in the folder; null when it is missing, or a link leads out of
 * the folder.
 */
export async function resolveInside(folder: string, segments: readonly string[]): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, ...segments));
    return path.startsWith(root + sep) ? path : null;
  } catch {
    return null;
  }
}
