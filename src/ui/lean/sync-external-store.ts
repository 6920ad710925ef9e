/** React's own, in place of the `use-sync-external-store` shim for versions that lack it. */
export { useSyncExternalStore } from 'react';
