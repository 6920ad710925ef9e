import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from './config.ts';
import { folderOf } from './media-folders.ts';
import { mediaRoutes } from './publication/routes.ts';
import { sign, verify } from './publication/media-token.ts';

/** A file that an address is wanted for. */
export type MediaPart = { storeId: string; titleId: string; sample: boolean; file: string; mimeType: string };

/** Makes addresses of titles' files that open without a sign-in, for a while; `expiresIn` in seconds. */
export type MediaAddresses = (part: MediaPart) => { url: string; expiresAt: Date; expiresIn: number };

const EPUB = 'application/epub+zip';

/** A book's address is that of its manifest; any other file is served as it is. */
export function mediaAddresses({
  mediaSecret,
  mediaLifetime,
}: Pick<ServerConfig, 'mediaSecret' | 'mediaLifetime'>): MediaAddresses {
  return ({ storeId, titleId, sample, file, mimeType }) => {
    const expires = Math.floor(Date.now() / 1000) + mediaLifetime;
    const token = sign({ titleId, storeId, sample, expires }, mediaSecret);
    const path = file.split('/').map(encodeURIComponent).join('/');
    const url = `/media/${token}/${path}${mimeType === EPUB ? '/manifest.json' : ''}`;
    return { url, expiresAt: new Date(expires * 1000), expiresIn: mediaLifetime };
  };
}

/** Serves the files behind such addresses. */
export async function serveMedia(app: FastifyInstance, config: ServerConfig): Promise<void> {
  await app.register(mediaRoutes, {
    async verify(token, file) {
      const granted = verify(token, config.mediaSecret);
      return (
        granted && { folder: (await folderOf(config, granted, file)).folder, sample: granted.sample, titleId: granted.titleId }
      );
    },
  });
}
