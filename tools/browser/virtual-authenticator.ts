import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';

/** A virtual authenticator of the browser, which signs for real and confirms at once. */
export type VirtualAuthenticator = {
  /** The number of the authenticator's passkeys. */
  count: () => Promise<number>;
  /** Adds a passkey that no server knows. */
  addUnknownPasskey: () => Promise<void>;
  /** Sets whether the user passes user verification. */
  setUserVerified: (isUserVerified: boolean) => Promise<void>;
  /**
   * Waits until the page has requested passkeys for the e-mail field from the browser (conditional
   * mediation).
   */
  waitForOffer: () => Promise<void>;
  /** Sets whether the user is present and confirms requests. */
  setPresent: (isPresent: boolean) => Promise<void>;
};

/**
 * Adds an authenticator with passkeys to the browser of a page, like that of a phone or laptop.
 * @param autofill whether the browser offers passkeys in the e-mail field; the first one is then
 * chosen at once
 */
export const addAuthenticator = async (page: Page, { autofill = false } = {}): Promise<VirtualAuthenticator> => {
  await page.addInitScript((isAutofillEnabled) => {
    if (!('PublicKeyCredential' in window)) return;
    if (!isAutofillEnabled) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    const { credentials } = navigator;
    const originalGet = credentials.get.bind(credentials);
    credentials.get = (options) => {
      const credential = originalGet(options);
      if (options?.mediation !== 'conditional') return credential;
      Object.assign(window, { isOfferingPasskeys: true });
      return credential.finally(() => Object.assign(window, { isOfferingPasskeys: false }));
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
    addUnknownPasskey: async () => {
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
    waitForOffer: async () => {
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
