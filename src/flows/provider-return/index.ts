export { flow } from './ports.ts';
export { ProviderReturnView as Screens } from './ProviderReturnView.tsx';
