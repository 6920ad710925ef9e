import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '../base/config.ts';

export type TitleOfStore = { storeId: string; titleId: string };

/** An id as a folder name, encoded so that no id escapes its folder. */
const toFolderName = (id: string): string =>
  encodeURIComponent(id.toWellFormed()).replace(/^\.+/, (dots) => '%2E'.repeat(dots.length));

/** The folder of an imported title, relative to the folder of all titles. */
export const toTitleFolder = ({ storeId, titleId }: TitleOfStore): string => join(toFolderName(storeId), toFolderName(titleId));

/**
 * The folder that holds a file of a title: its own folder, which imports fill, or else the folder
 * that the demo stores share.
 * @returns the folder, and its name among the media folders of all titles
 */
export async function findFolder(
  { titlesFolder, mediaFolder }: Pick<ServerConfig, 'titlesFolder' | 'mediaFolder'>,
  title: TitleOfStore,
  file: string,
): Promise<{ folder: string; name: string }> {
  const name = toTitleFolder(title);
  const folder = join(titlesFolder, name);
  const isOwn = await access(join(folder, file)).then(
    () => true,
    () => false,
  );
  return isOwn ? { folder, name } : { folder: join(mediaFolder, title.titleId), name: title.titleId };
}
