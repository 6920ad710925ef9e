import { chakra } from '@chakra-ui/react/styled-system';
import type { ReactElement } from 'react';
import { CategoryTree } from './CategoryTree.tsx';

/** The column of a desktop's left side. */
export const Sidebar = (): ReactElement => (
  <chakra.aside
    flex="none"
    width="15rem"
    alignSelf="flex-start"
    position="sticky"
    top="4.75rem"
    maxHeight="calc(100dvh - 4.75rem)"
    overflowY="auto"
    pl={8}
    pr={2}
    py={10}
  >
    <CategoryTree />
  </chakra.aside>
);
