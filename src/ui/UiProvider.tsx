import { ChakraProvider } from '@chakra-ui/react/styled-system';
import type { ReactElement, ReactNode } from 'react';
import { system } from './theme.ts';

/** Provides the design tokens to all components below. */
export const UiProvider = ({ children }: { children: ReactNode }): ReactElement => (
  <ChakraProvider value={system}>{children}</ChakraProvider>
);
