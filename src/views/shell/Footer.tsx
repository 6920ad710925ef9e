import { chakra } from '@chakra-ui/react/styled-system';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';
import { LanguageSelect } from './LanguageSelect.tsx';

const linkStyle = {
  color: 'inherit',
  display: 'inline-block',
  py: 1,
  _hover: { color: 'inherit', textDecoration: 'underline' },
} as const;

const Row = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: 8,
    rowGap: 4,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    px: { base: 4, md: 8 },
  },
});

/** The foot of the shop, in the store's colour 30% darker. */
export const Footer = (): ReactElement => {
  const { t } = useLingui();
  const { name, supportEmail, showsBrandLine } = useBrand();
  return (
    <chakra.footer
      bg="footer"
      color="footerText"
      py={10}
      display="grid"
      gap={6}
      css={{ '& :focus-visible': { outlineColor: 'footerText' } }}
    >
      <Row>
        <chakra.p fontFamily="display" fontSize="xl" fontWeight={600}>
          {name}
        </chakra.p>
        <chakra.nav aria-label={t`About the shop`} display="flex" flexWrap="wrap" columnGap={6} rowGap={1}>
          <TextLink href="/about" look="plain" {...linkStyle}>
            <Trans>About</Trans>
          </TextLink>
          <TextLink href="/terms" look="plain" {...linkStyle}>
            <Trans>Terms</Trans>
          </TextLink>
          <TextLink href="/privacy" look="plain" {...linkStyle}>
            <Trans>Privacy</Trans>
          </TextLink>
          {supportEmail === '' ? null : (
            <OuterLink href={`mailto:${supportEmail}`} look="plain" {...linkStyle}>
              {supportEmail}
            </OuterLink>
          )}
        </chakra.nav>
      </Row>
      <Row fontSize="sm">
        <LanguageSelect />
        {showsBrandLine ? (
          <p>
            <Trans>Shop by Colophon</Trans>
          </p>
        ) : null}
      </Row>
    </chakra.footer>
  );
};
