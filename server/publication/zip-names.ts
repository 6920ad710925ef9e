import { demand } from './broken-publication.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const dos = new TextDecoder('ibm866');

/** UTF-8 even where the flag is missing, as most makers of books write it; NFC, since readers compare names as text. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize('NFC');
  } catch {
    return dos.decode(bytes);
  }
}

/** Refuses names that could reach outside the container. */
export function safeName(raw: string): string {
  const name = raw.replaceAll('\\', '/');
  demand(name !== '' && !name.includes('\0'), 'an entry has no proper name');
  demand(!name.startsWith('/') && !/^[a-z]:/i.test(name), `absolute path in the container: ${name}`);
  demand(!name.split('/').includes('..'), `path out of the container: ${name}`);
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
