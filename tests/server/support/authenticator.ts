import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const encodeBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Encodes a subset of CBOR (RFC 8949): integers, byte strings, text strings, and maps of them. */
function encodeCbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const encodeHead = (kind: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(kind << 5) | length]);
    return length < 256 ? Buffer.from([(kind << 5) | 24, length]) : Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([
      encodeHead(5, value.size),
      ...[...value].flatMap(([key, each]) => [encodeCbor(key), encodeCbor(each as string)]),
    ]);
  return Buffer.concat([encodeHead(2, value.length), value]);
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const ATTESTED_CREDENTIAL_DATA = 64;

type CreationOptions = { challenge: string; rp: { id?: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId?: string };

/** Faults that a test puts into a response of the authenticator. */
export type CredentialDeviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
};

/** A device with one passkey: its WebAuthn responses to sign-ins carry real signatures. */
export class Authenticator {
  readonly id = encodeBase64url(randomBytes(32));
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  counter = 0;

  /** @param origin origin of the page that calls the device */
  constructor(origin = 'http://localhost') {
    this.#origin = origin;
  }

  #encodeClientData(type: string, challenge: string, deviation: CredentialDeviation): Buffer {
    const clientData = {
      type,
      challenge: deviation.challenge ?? challenge,
      origin: deviation.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(clientData));
  }

  #encodeAuthenticatorData(rpId: string, deviation: CredentialDeviation, credentialData?: Buffer): Buffer {
    const flags =
      USER_PRESENT | (deviation.unverified === true ? 0 : USER_VERIFIED) | (credentialData ? ATTESTED_CREDENTIAL_DATA : 0);
    const flagsAndCounter = Buffer.alloc(5);
    flagsAndCounter.writeUInt8(flags, 0);
    flagsAndCounter.writeUInt32BE(deviation.counter ?? this.counter, 1);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), flagsAndCounter, credentialData ?? Buffer.alloc(0)]);
  }

  /** Returns what `navigator.credentials.create` returns in a browser. */
  create({ challenge, rp, user }: CreationOptions, deviation: CredentialDeviation = {}) {
    this.#userHandle = user.id;
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const decodeCoordinate = (coordinate: string | undefined) => Buffer.from(coordinate ?? '', 'base64url');
    const cose = encodeCbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decodeCoordinate(jwk.x)],
        [-3, decodeCoordinate(jwk.y)],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const credentialData = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#encodeAuthenticatorData(rp.id ?? '', deviation, credentialData)],
    ]);
    const clientDataJSON = encodeBase64url(this.#encodeClientData('webauthn.create', challenge, deviation));
    const response = { clientDataJSON, attestationObject: encodeBase64url(encodeCbor(attestation)), transports: ['internal'] };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  /** Returns what `navigator.credentials.get` returns in a browser. */
  get(
    { challenge, rpId = '' }: RequestOptions,
    deviation: CredentialDeviation = {},
    privateKey: KeyObject = this.#keys.privateKey,
  ) {
    const clientData = this.#encodeClientData('webauthn.get', challenge, deviation);
    const authenticatorData = this.#encodeAuthenticatorData(rpId, deviation);
    const response = {
      clientDataJSON: encodeBase64url(clientData),
      authenticatorData: encodeBase64url(authenticatorData),
      signature: encodeBase64url(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)),
      userHandle: deviation.userHandle ?? this.#userHandle,
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }
}
