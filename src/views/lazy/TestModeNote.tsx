import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Notice } from '../../ui/Notice.tsx';

/**
 * The note above a payment button in a shop in test mode, where payments charge nothing; else null.
 */
export const TestModeNote = (): ReactElement | null =>
  useBrand().store.inTestMode ? (
    <Notice role="note">
      <strong>
        <Trans>Test mode</Trans>
      </strong>{' '}
      <Trans>This shop is being tried out: nothing you pay here is charged.</Trans>
    </Notice>
  ) : null;
