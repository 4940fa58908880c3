// Imported only by a mock that serves HTTPS.
export { explainCertificate } from './explain-certificate.ts';
export { makeCertificate } from './make-certificate.ts';
export { serverNames } from './server-names.ts';
