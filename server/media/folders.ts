import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '../base/config.ts';

export type TitleOfStore = { storeId: string; titleId: string };

/** An id as a folder is called: no id leads out of its folder. */
const segment = (id: string): string =>
  encodeURIComponent(id.toWellFormed()).replace(/^\.+/, (dots) => '%2E'.repeat(dots.length));

/** Where the files of a title that was imported are, below the folder of all. */
export const ownName = ({ storeId, titleId }: TitleOfStore): string => join(segment(storeId), segment(titleId));

/**
 * The folder that a file of a title is in: the one of its own that imports fill, else the one that titles of the demo stores share.
 * @returns the folder, and what it is called among those of all titles
 */
export async function folderOf(
  { titlesFolder, mediaFolder }: Pick<ServerConfig, 'titlesFolder' | 'mediaFolder'>,
  title: TitleOfStore,
  file: string,
): Promise<{ folder: string; name: string }> {
  const name = ownName(title);
  const folder = join(titlesFolder, name);
  const isOwn = await access(join(folder, file)).then(
    () => true,
    () => false,
  );
  return isOwn ? { folder, name } : { folder: join(mediaFolder, title.titleId), name: title.titleId };
}
