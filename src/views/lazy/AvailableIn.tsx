import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';

/**
 * The countries that the store sells to, named in the customer's language, or by a code without a
 * known name; null if the store sells to all.
 */
export const AvailableIn = (): ReactElement | null => {
  const { i18n } = useLingui();
  const { purchaseCountries } = useBrand().store;
  if (purchaseCountries.length === 0) return null;
  const regions = new Intl.DisplayNames(i18n.locale, { type: 'region' });
  const countries = joinNames(
    purchaseCountries.map((code) => regions.of(code) ?? code),
    i18n.locale,
  );
  return (
    <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
      <Trans>Available in: {countries}</Trans>
    </chakra.p>
  );
};
