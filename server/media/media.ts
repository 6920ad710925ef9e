import { crc32 } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import type { Database } from '../database/open.ts';
import { folderOf } from './folders.ts';
import { MediaRights } from './rights.ts';
import { mediaRoutes } from '../publication/routes.ts';
import { type MediaReader, sign, verify } from '../publication/media-token.ts';
import { realNow } from '../base/clock/time.ts';

/** A file that an address is wanted for; `reader` is null for a sample's. */
export type MediaPart = { storeId: string; titleId: string; reader: MediaReader | null; file: string; mimeType: string };

/**
 * Makes addresses of titles' files that open without a header, for a while: from half of
 * MEDIA_LIFETIME to all of it. `expiresIn` in seconds.
 */
export type MediaAddresses = (part: MediaPart) => { url: string; expiresAt: Date; expiresIn: number };

const EPUB = 'application/epub+zip';
const INTERACTIVE = 'text/html';

/**
 * An interactive title asks for the files beside its page; any other address opens one file, or
 * what is in it.
 */
const pathFor = ({ file, mimeType }: MediaPart): string =>
  mimeType === INTERACTIVE ? file.slice(0, file.lastIndexOf('/') + 1) || file : file;

/**
 * The moment until which an address made at `now` opens: one and the same for half a lifetime, so
 * that a title that is opened again has the same address, and at least half a lifetime ahead. Each
 * part has moments of its own, so that not all open readers ask for other addresses at once. All
 * are in seconds, moments since 1970.
 */
function expiryOf(part: MediaPart, now: number, lifetime: number): number {
  const window = Math.ceil(lifetime / 2);
  const phase = crc32(JSON.stringify([part.storeId, part.titleId, part.reader, part.file])) % window;
  return now - ((now + phase) % window) + lifetime;
}

/** A book's address is that of its manifest; any other file is served as it is. */
export function mediaAddresses({
  mediaSecret,
  mediaLifetime,
}: Pick<ServerConfig, 'mediaSecret' | 'mediaLifetime'>): MediaAddresses {
  return (part) => {
    const { storeId, titleId, reader, file, mimeType } = part;
    const now = Math.floor(realNow() / 1000);
    const expires = expiryOf(part, now, mediaLifetime);
    const token = sign({ titleId, storeId, path: pathFor(part), reader, expires }, mediaSecret);
    const path = file.split('/').map(encodeURIComponent).join('/');
    const url = `/media/${token}/${path}${mimeType === EPUB ? '/manifest.json' : ''}`;
    return { url, expiresAt: new Date(expires * 1000), expiresIn: expires - now };
  };
}

/** Serves the files behind such addresses for as long as their customers may read them. */
export async function serveMedia(app: FastifyInstance, db: Database, config: ServerConfig): Promise<void> {
  const rights = new MediaRights(db, config.mediaRightsFreshness);
  await app.register(mediaRoutes, {
    async verify(token, file) {
      const grant = verify(token, config.mediaSecret);
      if (grant === null) return null;
      const { storeId, titleId, path, reader } = grant;
      const mayStillRead = reader && (() => rights.mayRead({ storeId, titleId, reader }));
      if (mayStillRead && !(await mayStillRead())) return null;
      const { folder } = await folderOf(config, grant, file);
      return { folder, path, ...(mayStillRead ? { mayStillRead } : {}) };
    },
  });
}
