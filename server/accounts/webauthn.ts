/** What checks passkeys takes a quarter of a second and 25 MB to load, so it is loaded for the first who uses one. */
export const webauthn = () => import('@simplewebauthn/server');
