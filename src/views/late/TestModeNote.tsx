import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';

/** Above a button that pays, in a shop whose payments charge nothing. */
export const TestModeNote = (): ReactElement | null =>
  useBrand().store.inTestMode ? (
    <chakra.p bg="accentSoft" borderLeft="4px solid" borderColor="accent" borderRadius="md" px={4} py={3}>
      <chakra.strong fontWeight={600}>
        <Trans>Test mode</Trans>
      </chakra.strong>{' '}
      <Trans>This shop is being tried out: nothing you pay here is charged.</Trans>
    </chakra.p>
  ) : null;
