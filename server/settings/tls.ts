import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { BadSetting } from './bad-setting.ts';
import type { Settings } from './settings.ts';

export type Certificate = { cert: Buffer; key: Buffer };

type CertificateFiles = NonNullable<Settings['certificate']>;

/**
 * The certificate with its chain, and its key, as PEM.
 * @throws BadSetting when one cannot be read, or they do not match
 */
export function readCertificate({ cert, key }: CertificateFiles): Certificate {
  try {
    const certificate = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new BadSetting(`TLS_CERT and TLS_KEY cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const readModifiedAt = ({ cert, key }: CertificateFiles): string => [cert, key].map((file) => statSync(file).mtimeMs).join(' ');

/**
 * Certificates last for weeks, shops run for longer: renewed files are used for new connections.
 * @returns a function that checks for renewed files; if they are invalid, the old certificate stays
 * in use
 */
export function createCertificateReloader(
  server: Pick<Server, 'setSecureContext'>,
  files: CertificateFiles,
): () => Promise<void> {
  let loadedModifiedAt = readModifiedAt(files);
  return async () => {
    const modifiedAt = readModifiedAt(files);
    if (modifiedAt === loadedModifiedAt) return;
    server.setSecureContext(readCertificate(files));
    loadedModifiedAt = modifiedAt;
  };
}
