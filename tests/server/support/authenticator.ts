import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Minimal CBOR (RFC 8949): integers, byte strings, text strings, and maps of them. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (kind: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(kind << 5) | length]);
    return length < 256 ? Buffer.from([(kind << 5) | 24, length]) : Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each as string)])]);
  return Buffer.concat([head(2, value.length), value]);
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HOLDS_KEY = 64;

type Creation = { challenge: string; rp: { id?: string }; user: { id: string } };
type Request = { challenge: string; rpId?: string };

/** Errors that a test puts into a response of the authenticator. */
export type CredentialDeviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
};

/** A device with one passkey: its WebAuthn responses carry real signatures. */
export class Authenticator {
  readonly id = base64url(randomBytes(32));
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  counter = 0;

  /** @param origin of the page in its browser */
  constructor(origin = 'http://localhost') {
    this.#origin = origin;
  }

  #clientData(type: string, challenge: string, slip: CredentialDeviation): Buffer {
    const said = { type, challenge: slip.challenge ?? challenge, origin: slip.origin ?? this.#origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(said));
  }

  #authenticatorData(rpId: string, slip: CredentialDeviation, key?: Buffer): Buffer {
    const flags = USER_PRESENT | (slip.unverified === true ? 0 : USER_VERIFIED) | (key ? HOLDS_KEY : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(slip.counter ?? this.counter, 1);
    return Buffer.concat([sha256(slip.rpId ?? rpId), tail, key ?? Buffer.alloc(0)]);
  }

  /** Result of navigator.credentials.create. */
  create({ challenge, rp, user }: Creation, slip: CredentialDeviation = {}) {
    this.#userHandle = user.id;
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (part: string | undefined) => Buffer.from(part ?? '', 'base64url');
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(jwk.x)],
        [-3, point(jwk.y)],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authenticatorData(rp.id ?? '', slip, key)],
    ]);
    const clientDataJSON = base64url(this.#clientData('webauthn.create', challenge, slip));
    const response = { clientDataJSON, attestationObject: base64url(cbor(attestation)), transports: ['internal'] };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  /** Result of navigator.credentials.get. */
  get({ challenge, rpId = '' }: Request, slip: CredentialDeviation = {}, by: KeyObject = this.#keys.privateKey) {
    const clientData = this.#clientData('webauthn.get', challenge, slip);
    const authenticatorData = this.#authenticatorData(rpId, slip);
    const response = {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), by)),
      userHandle: slip.userHandle ?? this.#userHandle,
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }
}
