import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/**
 * Writes a self-signed certificate for this machine, and its key, into a folder.
 * @returns the paths of both files, and the certificate as PEM text
 */
export async function createCertificate(folder: string): Promise<{ files: { cert: string; key: string }; text: string }> {
  const names = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ] as const;
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [...names] }],
  });
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  return { files, text: cert };
}
