import { crc32 } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import type { Database } from '../database/open.ts';
import { findFolder } from './folders.ts';
import { MediaRights } from './rights.ts';
import { mediaRoutes } from '../publication/routes.ts';
import { type MediaReader, sealGrant, openToken } from '../publication/media-token.ts';
import { realNow } from '../base/clock/time.ts';

/** A file to make an address for; `reader` is null for a sample. */
export type MediaFile = { storeId: string; titleId: string; reader: MediaReader | null; file: string; mimeType: string };

/**
 * Makes addresses of titles' files that open without a header for a limited time: between half of
 * MEDIA_LIFETIME and all of it. `expiresIn` in seconds.
 */
export type MediaAddresses = (part: MediaFile) => { url: string; expiresAt: Date; expiresIn: number };

const EPUB_TYPE = 'application/epub+zip';
const INTERACTIVE_TYPE = 'text/html';

/**
 * An interactive title loads the files beside its page; any other address opens one file, or the
 * contents of that file.
 */
const toMediaPath = ({ file, mimeType }: MediaFile): string =>
  mimeType === INTERACTIVE_TYPE ? file.slice(0, file.lastIndexOf('/') + 1) || file : file;

/**
 * The expiry of an address made at `now`. It is the same for half a lifetime, so that a title that
 * is opened again has the same (cached) address, and at least half a lifetime ahead. Each file has
 * its own phase, so that open readers do not all renew their addresses at once. All values are in
 * seconds, moments since 1970.
 */
function computeExpiry(part: MediaFile, now: number, lifetime: number): number {
  const window = Math.ceil(lifetime / 2);
  const phase = crc32(JSON.stringify([part.storeId, part.titleId, part.reader, part.file])) % window;
  return now - ((now + phase) % window) + lifetime;
}

/** A book's address is that of its manifest; any other file is served as it is. */
export function createMediaAddresses({
  mediaSecret,
  mediaLifetime,
}: Pick<ServerConfig, 'mediaSecret' | 'mediaLifetime'>): MediaAddresses {
  return (part) => {
    const { storeId, titleId, reader, file, mimeType } = part;
    const now = Math.floor(realNow() / 1000);
    const expires = computeExpiry(part, now, mediaLifetime);
    const token = sealGrant({ titleId, storeId, path: toMediaPath(part), reader, expires }, mediaSecret);
    const path = file.split('/').map(encodeURIComponent).join('/');
    const url = `/media/${token}/${path}${mimeType === EPUB_TYPE ? '/manifest.json' : ''}`;
    return { url, expiresAt: new Date(expires * 1000), expiresIn: expires - now };
  };
}

/** Serves the files of media addresses for as long as their customers may read them. */
export async function serveMedia(app: FastifyInstance, db: Database, config: ServerConfig): Promise<void> {
  const rights = new MediaRights(db, config.mediaRightsFreshness);
  await app.register(mediaRoutes, {
    async verify(token, file) {
      const grant = openToken(token, config.mediaSecret);
      if (grant === null) return null;
      const { storeId, titleId, path, reader } = grant;
      const mayStillRead = reader && (() => rights.mayRead({ storeId, titleId, reader }));
      if (mayStillRead && !(await mayStillRead())) return null;
      const { folder } = await findFolder(config, grant, file);
      return { folder, path, ...(mayStillRead ? { mayStillRead } : {}) };
    },
  });
}
