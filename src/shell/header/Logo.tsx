import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';

/** The store's logo, which links to the home page. */
export const Logo = (): ReactElement => {
  const { name, logo } = useBrand();
  return (
    <TextLink
      href="/"
      look="bare"
      flex="none"
      display="inline-flex"
      alignItems="center"
      // The logo's width is unknown until it is loaded; reserves space to avoid a layout shift.
      width={{ md: logo === '' ? undefined : '12rem' }}
      minHeight={12}
      px={2}
      ml={{ xl: -3 }}
    >
      {logo === '' ? (
        <chakra.span fontFamily="display" fontSize="xl" fontWeight={700} maxWidth="min(45vw, 20rem)" lineClamp={2}>
          {name}
        </chakra.span>
      ) : (
        <chakra.img
          src={logo}
          alt={name}
          bg="#fff"
          // For the name, which is shown if the picture cannot be loaded.
          color="#000"
          overflow="hidden"
          px={1}
          borderRadius="sm"
          height={{ base: '2.25rem', md: '2.5rem' }}
          width="auto"
          maxWidth="12rem"
        />
      )}
    </TextLink>
  );
};
