"""No cookies: no service that is asked may recognise a person from one request to the next."""

from http.cookiejar import CookieJar, DefaultCookiePolicy


def no_cookies() -> CookieJar:
    """A jar that keeps no cookie and sends none, for every HTTP client that `spar` opens."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))
