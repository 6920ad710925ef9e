import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { runStoreCli } from '../../../tools/store/command.ts';
import { zip, type ZipEntryInput } from '../publication/support/zip.ts';

type EpubOptions = {
  title?: string;
  identifier?: string;
  /** additional metadata, as XML */
  metadata?: string;
  words?: string;
  cover?: Buffer;
  /** additional entries of the container */
  extraEntries?: ZipEntryInput[];
};

/** Creates a small EPUB as a publisher delivers it. */
export function createEpub({
  title = 'A small book',
  identifier = 'urn:test:1',
  metadata = '',
  words = 'Words.',
  cover,
  extraEntries = [],
}: EpubOptions = {}): Buffer {
  const coverItem =
    cover === undefined ? '' : '<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>';
  return zip([
    { name: 'mimetype', content: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    },
    {
      name: 'OPS/book.opf',
      content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">${identifier}</dc:identifier>
        <dc:title>${title}</dc:title><dc:language>en</dc:language>${metadata}</metadata>
        <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${coverItem}</manifest>
        <spine><itemref idref="one"/></spine></package>`,
    },
    {
      name: 'OPS/one.xhtml',
      content: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>${words}</p></body></html>`,
    },
    ...(cover === undefined ? [] : [{ name: 'OPS/cover.png', content: cover }]),
    ...extraEntries,
  ]);
}

/** Creates a PNG picture in a single colour. */
export const createPicture = (width: number, height: number, background = '#204060'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** Creates a folder with these files; it is deleted at the end of the test. */
export async function createDelivery(files: Record<string, Buffer | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-delivery-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export type CommandResult = { code: number; out: string; err: string };

/** Runs the operator's command line in a folder, and collects its output. */
export async function runStoreCommand(
  args: string[],
  environment: Record<string, string>,
  folder = tmpdir(),
): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const code = await runStoreCli(args, {
    environment,
    root: tmpdir(),
    folder,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

/** The JSON lines that a command has printed. */
export const parseRows = ({ out }: CommandResult): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
