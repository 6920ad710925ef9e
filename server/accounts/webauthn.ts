/** The passkey library takes 250 ms and 25 MB to load, so it is loaded on first use. */
export const loadWebauthn = () => import('@simplewebauthn/server');
