import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';

/** A virtual authenticator of the browser, which signs for real and confirms at once. */
export type VirtualAuthenticator = {
  /** The number of its passkeys. */
  count: () => Promise<number>;
  /** Adds a passkey that no server knows. */
  holdStranger: () => Promise<void>;
  /** Whether its user passes user verification. */
  setUserVerified: (isUserVerified: boolean) => Promise<void>;
  /**
   * Waits until the page has asked the browser for passkeys in the address field (conditional
   * mediation).
   */
  isOffering: () => Promise<void>;
  /** Whether its user is present and answers. */
  setPresent: (isPresent: boolean) => Promise<void>;
};

/**
 * Adds an authenticator with passkeys to the browser of a page, like that of a phone or laptop.
 * @param autofill the browser offers them in the address field by itself; the first one is chosen
 * there at once
 */
export const addAuthenticator = async (page: Page, { autofill = false } = {}): Promise<VirtualAuthenticator> => {
  await page.addInitScript((offers) => {
    if (!('PublicKeyCredential' in window)) return;
    if (!offers) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = (options) => {
      const answer = get(options);
      if (options?.mediation !== 'conditional') return answer;
      Object.assign(window, { isOfferingPasskeys: true });
      return answer.finally(() => Object.assign(window, { isOfferingPasskeys: false }));
    };
  }, autofill);
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    holdStranger: async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const credential = {
        credentialId: randomBytes(32).toString('base64'),
        isResidentCredential: true,
        rpId: new URL(page.url()).hostname || 'localhost',
        privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
        userHandle: Buffer.from('nobody').toString('base64'),
        signCount: 0,
      };
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    isOffering: async () => {
      await page.waitForFunction(() => 'isOfferingPasskeys' in window && window.isOfferingPasskeys === true);
    },
    setPresent: async (isPresent) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: isPresent });
    },
    setUserVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
};
