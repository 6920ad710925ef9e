import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { AppLinks } from '../../views/AppLinks.tsx';

const Prompt = chakra('aside', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: 6,
    rowGap: 2,
    mb: 8,
    px: 5,
    py: 3,
    bg: 'accentSoft',
    borderRadius: 'md',
  },
});

/** That the titles are in the store's app too; nothing where the store has none. */
export const OpenApp = (): ReactElement | null => {
  const { t } = useLingui();
  const { appStores } = useBrand();
  if (appStores.length === 0) return null;
  return (
    <Prompt aria-label={t`The app`}>
      <chakra.p flex="1 1 12rem">
        <Trans>Your titles are in the app too.</Trans>
      </chakra.p>
      <AppLinks />
    </Prompt>
  );
};
